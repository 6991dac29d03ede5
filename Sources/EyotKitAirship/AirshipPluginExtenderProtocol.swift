/// What the app of a cross-framework plugin implements, in a class of the name `AirshipPluginExtender`.
///
/// Airship's plugin finds that class by itself. Here the app calls ``onAirshipReady()``, where it configures Eyot.
public protocol AirshipPluginExtenderProtocol {
    /// The place for ``LiveActivityManager/setup(setupBlock:)``.
    @MainActor static func onAirshipReady()
}
