import EyotContract

extension LiveActivityBridge {
    /// Starts a card that takes pushes by a token of its own. The app has to be in the foreground.
    ///
    /// - Parameters:
    ///   - type: the name under which the type is registered.
    ///   - attributes: what the type decodes from, by Foundation's default strategies: a `Date` is seconds since 2001.
    /// - Throws: ``BridgeError/Code/typeNotRegistered``, ``BridgeError/Code/decodingFailed``, or why it could not be started.
    @discardableResult
    public func start(
        _ type: String, attributes: JSONValue, content: BridgedContent
    ) async throws(BridgeError) -> BridgedCard {
        let card = try await registered(type).start(attributes: attributes, content: content)
        // A reader learns of it whether or not the system says so.
        wakeReaders()
        return card
    }

    /// Shows other content on a card. The server leaves it alone until something new is declared for it.
    ///
    /// - Parameters:
    ///   - id: ActivityKit's id.
    ///   - type: the name of its type; nil looks among all types.
    /// - Throws: ``BridgeError/Code/cardNotFound``, ``BridgeError/Code/cardEnded``, ``BridgeError/Code/decodingFailed`` or
    ///   ``BridgeError/Code/typeNotRegistered``.
    public func update(_ id: String, of type: String? = nil, to content: BridgedContent) async throws(BridgeError) {
        for candidate in try candidates(type) where try await candidate.update(id, to: content) {
            return wakeReaders()
        }
        throw notFound(id, of: type)
    }

    /// Ends a card. One that has ended already is in view for some hours; what the system does with a second end is not documented.
    ///
    /// - Parameters:
    ///   - id: ActivityKit's id.
    ///   - type: the name of its type; nil looks among all types.
    ///   - content: what it shows last; nil for what it shows.
    ///   - dismissal: when it goes from the Lock Screen.
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

    /// The cards of a type that are in view.
    ///
    /// - Throws: ``BridgeError/Code/typeNotRegistered``.
    public func list(_ type: String) async throws(BridgeError) -> CardList {
        CardList(try await registered(type).cards())
    }

    /// The cards of all registered types that are in view.
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
