import EyotContract

extension LiveActivityBridge {
    /// Starts a card that gets pushes by a token of its own. The app must be in the foreground.
    ///
    /// - Parameters:
    ///   - type: the name under which the type is registered.
    ///   - attributes: JSON for the type, by Foundation's default strategies: a `Date` is seconds since 2001.
    /// - Throws: ``BridgeError/Code/typeNotRegistered``, ``BridgeError/Code/decodingFailed``, or the reason why the
    ///   card could not be started.
    @discardableResult
    public func start(
        _ type: String, attributes: JSONValue, content: BridgedContent
    ) async throws(BridgeError) -> BridgedCard {
        let card = try await registered(type).start(attributes: attributes, content: content)
        // Readers are notified even if the system does not report the change.
        wakeReaders()
        return card
    }

    /// Shows other content on a card. The server sends nothing to the card until something new is declared for it.
    ///
    /// - Parameters:
    ///   - id: ActivityKit's id.
    ///   - type: the name of the card's type; nil searches all types.
    /// - Throws: ``BridgeError/Code/cardNotFound``, ``BridgeError/Code/cardEnded``, ``BridgeError/Code/decodingFailed``
    ///   or ``BridgeError/Code/typeNotRegistered``.
    public func update(_ id: String, of type: String? = nil, to content: BridgedContent) async throws(BridgeError) {
        for candidate in try candidates(type) where try await candidate.update(id, to: content) {
            return wakeReaders()
        }
        throw notFound(id, of: type)
    }

    /// Ends a card. An ended card stays in view for some hours. The system's behaviour after a second end is not
    /// documented.
    ///
    /// - Parameters:
    ///   - id: ActivityKit's id.
    ///   - type: the name of the card's type; nil searches all types.
    ///   - content: the last content of the card; nil keeps the present one.
    ///   - dismissal: when the card leaves the Lock Screen.
    /// - Throws: ``BridgeError/Code/cardNotFound``, ``BridgeError/Code/decodingFailed`` or
    ///   ``BridgeError/Code/typeNotRegistered``.
    public func end(
        _ id: String, of type: String? = nil, showing content: BridgedContent? = nil,
        dismissal: BridgedDismissal = .default
    ) async throws(BridgeError) {
        for candidate in try candidates(type) where try await candidate.end(id, showing: content, dismissal) {
            return wakeReaders()
        }
        throw notFound(id, of: type)
    }

    /// Returns the cards of a type that are in view.
    ///
    /// - Throws: ``BridgeError/Code/typeNotRegistered``.
    public func list(_ type: String) async throws(BridgeError) -> CardList {
        CardList(try await registered(type).cards())
    }

    /// Returns the cards of all registered types that are in view.
    ///
    /// - Throws: ``BridgeError/Code/unavailable``.
    public func listAll() async throws(BridgeError) -> CardList { try await CardList.all(of: candidates(nil)) }

    private func registered(_ name: String) throws(BridgeError) -> any BridgedType {
        let types = try candidates(nil)
        guard let type = types.first(where: { $0.name == name }) else {
            let known = types.isEmpty ? "none is" : "registered are \(types.map(\.name).joined(separator: ", "))"
            throw BridgeError(.typeNotRegistered, "no type is registered as \(BridgeError.excerpt(name)); \(known)")
        }
        return type
    }

    private func candidates(_ type: String?) throws(BridgeError) -> [any BridgedType] {
        guard isAvailable else { throw BridgeError(.unavailable, "Live Activities need iOS 16.2 or later") }
        guard let type else { return types }
        return [try registered(type)]
    }

    private func notFound(_ id: String, of type: String?) -> BridgeError {
        let kind = type.map { " of type \($0)" } ?? ""
        return BridgeError(.cardNotFound, "no card\(kind) with the id \(BridgeError.excerpt(id)) is in view")
    }
}

extension CardList {
    static func all(of types: [any BridgedType]) async -> CardList {
        var cards: [BridgedCard] = []
        for type in types { cards += await type.cards() }
        return CardList(cards)
    }
}
