/// An entry of a phone's log, as the observer of a ``PhoneFleet`` hears it.
public struct PhoneObservation: Sendable, Hashable {
    /// What the log says.
    public enum Fact: Sendable, Hashable {
        /// A push came, and what the phone did with it.
        case push(PushRecord)
        /// The app did something wrong, in words.
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
