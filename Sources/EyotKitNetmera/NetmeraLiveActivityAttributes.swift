/// Attributes that carry the backend's name for a card.
///
/// A conforming type is not tied to an actor (`SendableMetatype`), because its cards are followed in parallel to the
/// app's other work.
public protocol NetmeraLiveActivityAttributes: SendableMetatype {
    /// The card's name. One call updates all cards of a group on all phones. A card without a name (nil) is not
    /// followed.
    var netmeraGroupId: String? { get set }
}
