import EyotContract

/// A registered type without its generics: the operations on the cards of one type.
protocol BridgedType: Sendable {
    /// The name under which the type is registered.
    var name: String { get }
    /// Whether the type is this attributes type.
    func isOf(_ type: Any.Type) -> Bool

    /// Returns the cards in view, in no order.
    func cards() async -> [BridgedCard]
    /// Starts a card and follows it.
    func start(attributes: JSONValue, content: BridgedContent) async throws(BridgeError) -> BridgedCard
    /// Shows other content on a card. Returns false if no card with this id is in view.
    func update(_ id: String, to content: BridgedContent) async throws(BridgeError) -> Bool
    /// Ends a card. Returns false if no card with this id is in view.
    func end(
        _ id: String, showing content: BridgedContent?, _ dismissal: BridgedDismissal
    ) async throws(BridgeError) -> Bool

    /// Calls `changed` for every card that runs or appears, until the task is cancelled.
    func followArrivals(_ changed: @Sendable () -> Void) async
    /// Calls `changed` for every change of a card, until it leaves the screen or the task is cancelled.
    func follow(_ id: String, _ changed: @escaping @Sendable () -> Void) async
}
