//! A small FBX file as text.

/// Returns an ASCII file with a skinned triangle, a blend shape, a material and a take that moves them.
pub fn fbx_text() -> String {
    let identity = "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1";
    let curve = |id: u32, from: &str, to: &str| {
        format!(
            r#"
    AnimationCurve: {id}, "AnimCurve::", "" {{
        Default: 0
        KeyVer: 4008
        KeyTime: *2 {{ a: 0,46186158000 }}
        KeyValueFloat: *2 {{ a: {from},{to} }}
        KeyAttrFlags: *1 {{ a: 24840 }}
        KeyAttrDataFloat: *4 {{ a: 0,0,218434821,0 }}
        KeyAttrRefCount: *1 {{ a: 2 }}
    }}"#
        )
    };
    format!(
        r#"; FBX 7.5.0 project file
FBXHeaderExtension:  {{
    FBXVersion: 7500
}}
GlobalSettings:  {{
    Properties70:  {{
        P: "UnitScaleFactor", "double", "Number", "",100
    }}
}}
Objects:  {{
    Geometry: 10, "Geometry::g", "Mesh" {{
        Vertices: *9 {{ a: 0,0,0,1,0,0,0,1,0 }}
        PolygonVertexIndex: *3 {{ a: 0,1,-3 }}
        LayerElementNormal: 0 {{
            MappingInformationType: "ByPolygonVertex"
            ReferenceInformationType: "Direct"
            Normals: *9 {{ a: 0,0,1,0,0,1,0,0,1 }}
        }}
        LayerElementUV: 0 {{
            MappingInformationType: "ByPolygonVertex"
            ReferenceInformationType: "Direct"
            UV: *6 {{ a: 0,0,1,0,0,1 }}
        }}
        LayerElementColor: 0 {{
            MappingInformationType: "ByPolygonVertex"
            ReferenceInformationType: "Direct"
            Colors: *12 {{ a: 1,0,0,1,0,1,0,1,0,0,1,1 }}
        }}
    }}
    Geometry: 11, "Geometry::shape", "Shape" {{
        Indexes: *1 {{ a: 0 }}
        Vertices: *3 {{ a: 0,0,0.5 }}
        Normals: *3 {{ a: 0,0.25,0 }}
    }}
    Model: 20, "Model::body", "Mesh" {{
    }}
    Model: 21, "Model::bone", "LimbNode" {{
        Properties70:  {{
            P: "Lcl Translation", "Lcl Translation", "", "A",0,0.5,0
            P: "Lcl Rotation", "Lcl Rotation", "", "A",0,30,0
            P: "Lcl Scaling", "Lcl Scaling", "", "A",1,1,1
        }}
    }}
    Deformer: 30, "Deformer::skin", "Skin" {{
        SkinningType: "Blend"
        Indexes: *3 {{ a: 0,1,2 }}
        BlendWeights: *3 {{ a: 0,0.5,1 }}
    }}
    Deformer: 31, "SubDeformer::cluster", "Cluster" {{
        Indexes: *3 {{ a: 0,1,2 }}
        Weights: *3 {{ a: 1,0.5,0.25 }}
        Transform: *16 {{ a: {identity} }}
        TransformLink: *16 {{ a: {identity} }}
    }}
    Deformer: 40, "Deformer::shapes", "BlendShape" {{
    }}
    Deformer: 41, "SubDeformer::channel", "BlendShapeChannel" {{
        DeformPercent: 50
        FullWeights: *1 {{ a: 100 }}
    }}
    AnimationStack: 50, "AnimStack::move", "" {{
        Properties70:  {{
            P: "LocalStop", "KTime", "Time", "",46186158000
        }}
    }}
    AnimationLayer: 51, "AnimLayer::base", "" {{
        Properties70:  {{
            P: "Weight", "Number", "", "A",100
        }}
    }}
    AnimationCurveNode: 52, "AnimCurveNode::T", "" {{
        Properties70:  {{
            P: "d|X", "Number", "", "A",0.125
        }}
    }}
    AnimationCurveNode: 54, "AnimCurveNode::DeformPercent", "" {{
        Properties70:  {{
            P: "d|DeformPercent", "Number", "", "A",25
        }}
    }}{}{}
    Material: 60, "Material::m", "" {{
        Properties70:  {{
            P: "DiffuseColor", "Color", "", "A",1,0.5,0.25
            P: "DiffuseFactor", "Number", "", "A",0.75
        }}
    }}
}}
Connections:  {{
    C: "OO",20,0
    C: "OO",21,0
    C: "OO",10,20
    C: "OO",60,20
    C: "OO",30,10
    C: "OO",31,30
    C: "OO",21,31
    C: "OO",40,10
    C: "OO",41,40
    C: "OO",11,41
    C: "OO",51,50
    C: "OO",52,51
    C: "OP",52,21, "Lcl Translation"
    C: "OP",53,52, "d|X"
    C: "OO",54,51
    C: "OP",54,41, "DeformPercent"
    C: "OP",55,54, "d|DeformPercent"
}}
"#,
        curve(53, "0", "2"),
        curve(55, "0", "100"),
    )
}
