/** The part of glTF 2.0 that the mesh of a set uses. */
export interface Gltf {
  readonly nodes?: readonly GltfNode[];
  readonly meshes?: readonly GltfMesh[];
  readonly skins?: readonly {
    readonly inverseBindMatrices?: number;
    readonly extras?: { readonly throng?: { readonly inverse_bind_matrices?: number } };
  }[];
  readonly accessors?: readonly GltfAccessor[];
  readonly bufferViews?: readonly GltfBufferView[];
  readonly materials?: readonly GltfMaterial[];
  readonly textures?: readonly { readonly source?: number; readonly sampler?: number }[];
  readonly samplers?: readonly { readonly wrapS?: number; readonly wrapT?: number }[];
  readonly images?: readonly { readonly bufferView?: number; readonly mimeType?: string; readonly name?: string }[];
  readonly extensions?: { readonly THRONG_animation_textures?: { readonly manifest: unknown; readonly bufferViews: readonly number[] } };
  readonly extras?: { readonly throng?: { readonly morph_sets?: readonly { readonly weights: readonly number[] }[] } };
}

export interface GltfNode {
  readonly mesh?: number;
  readonly skin?: number;
  readonly translation?: readonly [number, number, number];
  readonly rotation?: readonly [number, number, number, number];
  readonly scale?: readonly [number, number, number];
  readonly extras?: { readonly throng?: { readonly part?: { readonly morph_set?: number } } };
}

export interface GltfMesh {
  readonly primitives: readonly {
    readonly attributes: Readonly<Record<string, number>>;
    readonly indices?: number;
    readonly material?: number;
    readonly targets?: readonly Readonly<Record<string, number>>[];
  }[];
  readonly extras?: {
    readonly throng?: {
      readonly vertices: number;
      readonly triangles: number;
      readonly authored_method?: string;
      readonly quantization?: { readonly step: number; readonly offset: readonly [number, number, number] };
    };
  };
}

export interface GltfAccessor {
  readonly bufferView?: number;
  readonly componentType: number;
  readonly normalized?: boolean;
  readonly count: number;
  readonly type: string;
}

export interface GltfBufferView {
  readonly byteOffset?: number;
  readonly byteLength: number;
  readonly byteStride?: number;
  readonly extensions?: {
    readonly EXT_meshopt_compression?: {
      readonly byteOffset?: number;
      readonly byteLength: number;
      readonly byteStride: number;
      readonly count: number;
      readonly mode: 'ATTRIBUTES' | 'TRIANGLES' | 'INDICES';
    };
  };
}

export interface GltfMaterial {
  readonly name?: string;
  readonly pbrMetallicRoughness?: {
    readonly baseColorFactor?: readonly [number, number, number, number];
    readonly baseColorTexture?: { readonly index: number };
    readonly metallicFactor?: number;
    readonly roughnessFactor?: number;
  };
  readonly alphaMode?: 'OPAQUE' | 'MASK' | 'BLEND';
  readonly alphaCutoff?: number;
  readonly doubleSided?: boolean;
}
