/// Attributes that carry the name by which the backend speaks of a card.
///
/// The server fills the member in when it starts a card; an app that starts one itself gives the same name.
public protocol EyotActivityAttributes {
    /// The activity's name on the server, 1 to 256 bytes; nil where this card has none.
    var eyotActivityName: String? { get }
}
