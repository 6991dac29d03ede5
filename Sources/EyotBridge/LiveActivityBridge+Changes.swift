extension LiveActivityBridge {
    /// Returns a stream of all cards of the registered types. The first list comes at once, and another one whenever a
    /// card appears, disappears or shows something else, for any reason. A slow reader gets only the newest list.
    ///
    /// The cards are watched while the stream has a reader. Before iOS 16.2 it yields an empty list and ends.
    public func changes() -> AsyncStream<CardList> {
        let (lists, list) = AsyncStream.makeStream(of: CardList.self, bufferingPolicy: .bufferingNewest(1))
        guard isAvailable else {
            list.yield(CardList([]))
            list.finish()
            return lists
        }
        // Many reasons to look have the same effect as one.
        let (looks, look) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        lastReader += 1
        let reader = lastReader
        readers[reader] = look
        let watch = CardWatch(
            types: { [weak self] in await self?.types ?? [] }, looks: looks, changed: { look.yield() },
            show: { list.yield($0) })
        look.yield()
        let watching = Task { [weak self] in
            await watch.run()
            self?.readers[reader] = nil
            list.finish()
        }
        list.onTermination = { _ in watching.cancel() }
        return lists
    }
}
