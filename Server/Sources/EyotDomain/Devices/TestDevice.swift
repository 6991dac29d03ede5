/// A name for a phone that somebody tries things out on: "send to my phone".
package struct TestDevice: Sendable, Hashable {
    /// The most test devices of an app.
    package static let limit = 100

    /// What the name stands for.
    package enum Target: Sendable, Hashable {
        case device(DeviceID)
        /// All devices of a person, by the customer's id.
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
