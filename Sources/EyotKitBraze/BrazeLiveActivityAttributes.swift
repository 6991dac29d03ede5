/// Attributes that carry the backend's name for a card that it started.
///
/// A conforming type is not tied to an actor (`SendableMetatype`), because its cards are followed in parallel to the
/// app's other work.
public protocol BrazeLiveActivityAttributes: SendableMetatype {
    /// The card's name. A start by the backend fills it in; the app sets nothing here.
    var brazeActivityId: String? { get }
}
