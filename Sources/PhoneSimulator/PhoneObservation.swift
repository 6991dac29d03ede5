/// An entry of a phone's log, as the observer of a ``PhoneFleet`` receives it.
public struct PhoneObservation: Sendable, Hashable {
    /// The observed fact.
    public enum Fact: Sendable, Hashable {
        /// A push arrived, with the phone's handling of it.
        case push(PushRecord)
        /// The app made a mistake, described in words.
        case fault(String)
    }

    /// The phone's name.
    public let phone: String
    /// The entry.
    public let fact: Fact

    /// An entry of the phone of this name.
    public init(phone: String, fact: Fact) {
        self.phone = phone
        self.fact = fact
    }
}
