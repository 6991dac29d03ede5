extension LiveActivityBridge {
    /// All cards of the registered types: at once, and again whenever one comes or goes, or shows something else, by
    /// whomever it was started and changed. A slow reader gets the newest list and misses those before it.
    ///
    /// The stream is watched for while somebody reads it. Before iOS 16.2 it yields an empty list and ends.
    public func changes() -> AsyncStream<CardList> {
        let (lists, list) = AsyncStream.makeStream(of: CardList.self, bufferingPolicy: .bufferingNewest(1))
        guard isAvailable else {
            list.yield(CardList([]))
            list.finish()
            return lists
        }
        // One reason to look is as good as many.
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
