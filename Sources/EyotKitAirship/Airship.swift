@_exported import EyotKit

/// The calls that apps make to Airship's SDK for Live Activities, over EyotKit.
///
/// An app calls `Eyot.configure(…)` once, instead of `Airship.takeOff(…)`. Earlier calls are kept until then. They are
/// declared for the versions of iOS that Airship declares. EyotKit begins with iOS 16.2, so they have no effect on
/// 16.1.
public enum Airship {
    /// This installation and its cards.
    public static var channel: AirshipChannel { AirshipChannel() }

    /// The app's user.
    public static var contact: AirshipContact { AirshipContact() }
}

/// The app's user.
public struct AirshipContact: Sendable {
    /// The person is this one, by the backend's id of 1 to 256 bytes.
    public func identify(_ namedUserID: String) { Eyot.whenConfigured { $0.identify(namedUserID) } }

    /// Records the logout of the user.
    public func reset() { Eyot.whenConfigured { $0.logout() } }
}
