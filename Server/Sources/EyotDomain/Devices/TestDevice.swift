/// A name for a phone that is used for tests: "send to my phone".
package struct TestDevice: Sendable, Hashable {
    /// The most test devices of an app.
    package static let limit = 100

    /// The devices that the name stands for.
    package enum Target: Sendable, Hashable {
        case device(DeviceID)
        /// All devices of a user, by the customer's id.
        case user(String)
    }

    package var app: AppID
    package var name: String
    package var target: Target

    package init(app: AppID, name: String, target: Target) {
        self.app = app
        self.name = name
        self.target = target
    }
}
