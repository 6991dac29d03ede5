// What a widget extension imports where Apple has the framework.
@_exported import ActivityKitStandIn
