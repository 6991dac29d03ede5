/// The protocol for the class `AirshipPluginExtender` in the app of a cross-framework plugin.
///
/// Airship's plugin finds that class by itself. Here the app calls ``onAirshipReady()`` when it configures Eyot.
public protocol AirshipPluginExtenderProtocol {
    /// The place for ``LiveActivityManager/setup(setupBlock:)``.
    @MainActor static func onAirshipReady()
}
