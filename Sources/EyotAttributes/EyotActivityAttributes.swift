/// Attributes that carry the name by which the backend speaks of a card.
///
/// The server fills the member in when it starts a card; an app that starts one itself gives the same name.
///
/// `SendableMetatype` keeps conforming types apart from actors: Xcode's project template isolates every type to the
/// main actor, and the SDK reads the name on other threads.
public protocol EyotActivityAttributes: SendableMetatype {
    /// The activity's name on the server, 1 to 256 bytes; nil if this card has none.
    var eyotActivityName: String? { get }
}
