extension AsyncSequence {
    /// Begins to listen, then looks once, then takes each new element. In the other order an element between the two
    /// would be lost, because the sequence may yield new elements only.
    func listen(looking look: () async -> Void, then take: (Element) async -> Void) async {
        var elements = makeAsyncIterator()
        await look()
        // ActivityKit's sequences never throw.
        while let element = try? await elements.next() { await take(element) }
    }
}
