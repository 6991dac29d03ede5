extension AsyncSequence {
    /// Begins to listen, looks, and then takes what comes. In the other order what came in between would be lost, where the sequence
    /// yields new elements alone.
    func listen(looking look: () async -> Void, then take: (Element) async -> Void) async {
        var elements = makeAsyncIterator()
        await look()
        // None of ActivityKit's sequences throws.
        while let element = try? await elements.next() { await take(element) }
    }
}
