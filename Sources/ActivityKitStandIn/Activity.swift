#if !os(iOS) || targetEnvironment(macCatalyst)
    import Foundation
    import PhoneSimulator

    /// A Live Activity on the simulated phone of the current task (`PhoneProcess.current`).
    ///
    /// As in ActivityKit it is not Sendable, and only the system creates one.
    public class Activity<Attributes: ActivityAttributes>: Identifiable {
        /// An id's type.
        public typealias ID = String
        /// The changing data's type.
        public typealias ContentState = Attributes.ContentState

        /// Names this Live Activity on this phone.
        public final let id: String
        /// The fixed data.
        public final let attributes: Attributes

        let process: PhoneProcess
        /// The card as last seen; after the process ends, only this is left.
        private var card: SimulatedCard
        private var lastContent: ActivityContent<ContentState>

        /// Nil if the card does not decode into the app's types. The phone checks that before it shows a card, so this
        /// applies to a type that was declared to the phone without its Swift type.
        init?(_ card: SimulatedCard, in process: PhoneProcess) {
            guard let attributes = Self.decode(Attributes.self, from: card.attributes, in: process),
                let content = Self.content(card.content, in: process)
            else { return nil }
            id = card.id
            self.attributes = attributes
            self.process = process
            self.card = card
            lastContent = content
        }

        /// The name that a pushed start has in `attributes-type`. Not in ActivityKit, which keeps it to itself.
        public static var typeName: String {
            (Attributes.self as? any NamedActivityAttributes.Type)?.activityTypeName
                ?? String(describing: Attributes.self)
        }

        // MARK: Its present values

        /// The phase of its life.
        public var activityState: ActivityState { ActivityState(look().phase) }

        /// Its content. iOS 16.2.
        public var content: ActivityContent<ContentState> {
            _ = look()
            return lastContent
        }

        /// Its content.
        @available(*, deprecated, message: "use content")
        public var contentState: ContentState { content.state }

        /// The token for its pushes; nil until ``pushTokenUpdates`` has yielded one.
        public var pushToken: Data? { look().updateToken.map { Data($0.bytes) } }

        /// Looks at the card again. A card that the phone has forgotten is gone from view for long.
        private func look() -> SimulatedCard {
            guard process.isAlive, let seen = process.card(id) else { return card }
            if seen.content != card.content, let content = Self.content(seen.content, in: process) {
                lastContent = content
            }
            card = seen
            return seen
        }

        // MARK: All of them

        /// The Live Activities of this type that are in view.
        public static var activities: [Activity<Attributes>] {
            guard let process = PhoneProcess.current else { return [] }
            return process.cards(ofType: typeName).compactMap { Activity($0, in: process) }
        }

        /// The token with which a server starts Live Activities, the same for all types. iOS 17.2.
        public static var pushToStartToken: Data? {
            guard ActivityKitMember.pushToStartToken.isAvailable(in: PhoneProcess.current) else { return nil }
            return PhoneProcess.current?.startToken.map { Data($0.bytes) }
        }
    }
#endif
