/// Attributes that carry the name by which the backend speaks of a card that it started.
///
/// A type that conforms is not tied to an actor (`SendableMetatype`), since its cards are followed beside the app's
/// other work.
public protocol BrazeLiveActivityAttributes: SendableMetatype {
    /// The card's name. A start by the backend fills it in; the app sets nothing here.
    var brazeActivityId: String? { get }
}
