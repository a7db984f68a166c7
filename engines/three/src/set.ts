import { loadSet, ThrongError, type Bounds, type ClipEntry, type LoadOptions, type SourceImage, type TextureSet } from 'throng-core';

/** A texture set, ready for crowds. Make one with {@link loadThrong}. */
export class ThrongSet {
  /**
   * @param source - the set as read from its files
   * @param images - decoded base-colour images of the model
   */
  constructor(readonly source: TextureSet, readonly images: readonly ImageBitmap[]) {}

  /** Name of the character. */
  get name(): string {
    return this.source.name;
  }

  get clips(): readonly ClipEntry[] {
    return this.source.clips;
  }

  /** Bounding box over all clips, model space, metres. */
  get bounds(): Bounds {
    return this.source.bounds;
  }

  /** Bytes of the animation textures. */
  get textureBytes(): number {
    return this.source.textureBytes;
  }

  /** Largest error that the bake measured, in millimetres; null where the set does not state it. */
  get maxErrorMm(): number | null {
    return this.source.maxErrorMm;
  }

  /** Vertices of all parts. */
  get vertexCount(): number {
    return this.source.model.parts.reduce((sum, part) => sum + part.vertices, 0);
  }
}

/**
 * Loads a texture set of Throng: a folder with `manifest.json`, or one GLB file.
 *
 * @param url - the folder, its `manifest.json`, or the GLB file
 */
export async function loadThrong(url: string | URL, options: LoadOptions = {}): Promise<ThrongSet> {
  const source = await loadSet(url, options);
  const images = source.model.images.map((image, index) => decodeImage(image, `${String(url)}: image ${index}`));
  return new ThrongSet(source, await Promise.all(images));
}

async function decodeImage({ bytes, mimeType }: SourceImage, where: string): Promise<ImageBitmap> {
  if (bytes.byteLength === 0) {
    throw new ThrongError(`${where} is not in the file; expected one with a buffer view`);
  }
  try {
    const blob = new Blob([bytes as BlobPart], { type: mimeType });
    return await createImageBitmap(blob, { colorSpaceConversion: 'none', premultiplyAlpha: 'none' });
  } catch (error) {
    throw new ThrongError(`${where} cannot be decoded (${error instanceof Error ? error.message : String(error)})`);
  }
}
