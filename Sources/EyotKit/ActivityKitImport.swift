// The one place that knows where Live Activities come from: the system's framework, or its stand-in where there is none.
#if canImport(ActivityKit)
    @_exported import ActivityKit

    @available(iOS 16.1, *)
    extension Activity {
        /// What a pushed start calls the type in `attributes-type`: its bare name. (What a nested type is called there,
        /// Apple does not say.)
        static var typeName: String { String(describing: Attributes.self) }
    }
#else
    @_exported import ActivityKitStandIn
#endif
