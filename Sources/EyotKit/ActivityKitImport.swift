// The one place that knows where Live Activities come from: the system's framework, or its stand-in where there is none.
#if canImport(ActivityKit)
    @_exported import ActivityKit
#else
    @_exported import ActivityKitStandIn
#endif
