import EyotContract
import EyotKit
import Foundation
import PhoneSimulator

/// The recording says when the recorder began to follow a sequence. A later listener may get other elements first, and
/// the recording is to show whether it does.
@available(iOS 16.2, *)
nonisolated extension ActivityRecorder {
    /// Follows a type: the cards that are there, those that appear, and the push-to-start token. Call it once for each
    /// launch.
    func follow<Attributes: ActivityAttributes & SendableMetatype>(
        _ type: Attributes.Type
    ) async where Attributes.ContentState: SendableMetatype {
        let name = String(describing: Attributes.self)
        log.append(.saw(.there(type: name, cards: Activity<Attributes>.activities.map(\.id))))
        await begin(.cards(type: name)) { [self] listening in
            let cards = Activity<Attributes>.activityUpdates.makeAsyncIterator()
            listening()
            while let id = await cards.next()?.id {
                log.append(.saw(.card(type: name, card: id)))
                await follow(card: id, of: Attributes.self)
            }
            return true
        }
        guard os >= .startTokens, #available(iOS 17.2, *) else { return }
        await begin(.startTokens(type: name)) { [log] listening in
            let tokens = Activity<Attributes>.pushToStartTokenUpdates.makeAsyncIterator()
            listening()
            while let token = await tokens.next() {
                PushToken(bytes: token).map { log.append(.saw(.startToken(type: name, ShortenedToken($0)))) }
            }
            return true
        }
    }

    /// Follows one card, and returns when it is followed. A second call for the same card waits for the first.
    func follow<Attributes: ActivityAttributes & SendableMetatype>(
        card id: String, of type: Attributes.Type
    ) async where Attributes.ContentState: SendableMetatype {
        await tasks.beginning(of: id) { Task { await beginFollowing(card: id, of: type) } }.value
    }

    private func beginFollowing<Attributes: ActivityAttributes & SendableMetatype>(
        card id: String, of type: Attributes.Type
    ) async where Attributes.ContentState: SendableMetatype {
        await begin(.phases(card: id)) { [log] listening in
            guard let states = Activity<Attributes>.withID(id)?.activityStateUpdates.makeAsyncIterator() else {
                return false
            }
            listening()
            while let state = await states.next() { log.append(.saw(.phase(card: id, state.name))) }
            return true
        }
        await begin(.contents(card: id)) { [log] listening in
            guard let contents = Activity<Attributes>.withID(id)?.contentUpdates.makeAsyncIterator() else {
                return false
            }
            listening()
            while let content = await contents.next() {
                do {
                    log.append(.saw(.content(card: id, try Self.card(content))))
                } catch {
                    log.append(.saw(.other("content of \(id) does not encode: \(error)")))
                }
            }
            return true
        }
        await begin(.tokens(card: id)) { [log] listening in
            guard let tokens = Activity<Attributes>.withID(id)?.pushTokenUpdates.makeAsyncIterator() else {
                return false
            }
            listening()
            while let token = await tokens.next() {
                PushToken(bytes: token).map { log.append(.saw(.token(card: id, ShortenedToken($0)))) }
            }
            return true
        }
    }

    /// Follows both switches in Settings.
    func followSettings() async {
        await begin(.activitiesEnabled) { [log] listening in
            var changes = ActivityAuthorizationInfo().activityEnablementUpdates.makeAsyncIterator()
            listening()
            while let isOn = await changes.next() { log.append(.saw(.activitiesEnabled(isOn))) }
            return true
        }
        await begin(.frequentPushesEnabled) { [log] listening in
            var changes = ActivityAuthorizationInfo().frequentPushEnablementUpdates.makeAsyncIterator()
            listening()
            while let isOn = await changes.next() { log.append(.saw(.frequentPushesEnabled(isOn))) }
            return true
        }
    }

    /// Starts a task that follows a sequence, and returns when it listens, so that no later event is missed. `body`
    /// calls its argument when it has an iterator, and returns false if there was nothing to follow.
    private func begin(
        _ sequence: RecordedSequence, _ body: @escaping @Sendable (_ listening: @Sendable () -> Void) async -> Bool
    ) async {
        let (beginning, announcer) = AsyncStream.makeStream(of: Void.self)
        tasks.add(
            Task { [log] in
                let hasListened = await body {
                    log.append(.did(.listen(sequence)))
                    announcer.finish()
                }
                announcer.finish()
                // A cancelled sequence has not ended by itself, so its end is not recorded.
                if hasListened, !Task.isCancelled { log.append(.saw(.over(sequence))) }
            })
        for await _ in beginning {}
    }
}

nonisolated extension ActivityState {
    /// The name of the case, as the simulator has it if it knows the case.
    var name: String {
        switch self {
        case .active: CardPhase.active.rawValue
        case .ended: CardPhase.ended.rawValue
        case .dismissed: CardPhase.dismissed.rawValue
        default: String(describing: self)
        }
    }
}
