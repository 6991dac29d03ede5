import EyotContract

/// A registered type without its generics: what the bridge asks of the cards of one type.
protocol BridgedType: Sendable {
    /// The name under which it is registered.
    var name: String { get }
    /// Whether it is about this attributes type.
    func isOf(_ type: Any.Type) -> Bool

    /// The cards that are in view, in no order.
    func cards() async -> [BridgedCard]
    /// Starts a card and has it followed.
    func start(attributes: JSONValue, content: BridgedContent) async throws(BridgeError) -> BridgedCard
    /// Shows other content on a card; false where none with this id is in view.
    func update(_ id: String, to content: BridgedContent) async throws(BridgeError) -> Bool
    /// Ends a card; false where none with this id is in view.
    func end(
        _ id: String, showing content: BridgedContent?, _ dismissal: BridgedDismissal
    ) async throws(BridgeError) -> Bool

    /// Calls for every card that runs or appears, until the task is cancelled.
    func followArrivals(_ changed: @Sendable () -> Void) async
    /// Calls for everything that becomes of a card, until it has gone from view or the task is cancelled.
    func follow(_ id: String, _ changed: @escaping @Sendable () -> Void) async
}
