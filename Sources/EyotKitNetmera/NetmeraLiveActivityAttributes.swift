/// Attributes that carry the name by which the backend speaks of a card.
///
/// A type that conforms is not tied to an actor (`SendableMetatype`), since its cards are followed beside the app's
/// other work.
public protocol NetmeraLiveActivityAttributes: SendableMetatype {
    /// The card's name: cards of one group on all phones are updated by one call. Nil where a card has none; it is not
    /// followed then.
    var netmeraGroupId: String? { get set }
}
