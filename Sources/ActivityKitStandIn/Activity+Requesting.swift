#if !os(iOS) || targetEnvironment(macCatalyst)
    import Foundation
    import PhoneSimulator

    extension Activity {
        /// Starts a Live Activity. iOS 16.1.
        ///
        /// - Throws: ``ActivityAuthorizationError``.
        @available(*, deprecated, message: "use request(attributes:content:pushType:)")
        public static func request(
            attributes: Attributes, contentState: ContentState, pushType: PushType? = nil
        ) throws -> Activity<Attributes> {
            try request(attributes, ActivityContent(state: contentState, staleDate: nil), pushType, needing: [])
        }

        /// Starts a Live Activity. iOS 16.2.
        ///
        /// - Throws: ``ActivityAuthorizationError``.
        public static func request(
            attributes: Attributes, content: ActivityContent<ContentState>, pushType: PushType? = nil
        ) throws -> Activity<Attributes> {
            try request(attributes, content, pushType, needing: [.content])
        }

        /// Starts a Live Activity of a style. iOS 18.
        ///
        /// - Throws: ``ActivityAuthorizationError``.
        public static func request(
            attributes: Attributes, content: ActivityContent<ContentState>, pushType: PushType? = nil,
            style: ActivityStyle
        ) throws -> Activity<Attributes> {
            try request(attributes, content, pushType, style: style, needing: [.content, .style])
        }

        /// Schedules a Live Activity, which alerts when it begins. iOS 26.
        ///
        /// - Throws: ``ActivityAuthorizationError``.
        @available(iOS 16.1, *)
        public static func request(
            attributes: Attributes, content: ActivityContent<ContentState>, pushType: PushType? = nil,
            style: ActivityStyle,
            alertConfiguration: AlertConfiguration, start: Date
        ) throws -> Activity<Attributes> {
            try request(
                attributes, content, pushType, style: style, start: start, needing: [.content, .style, .scheduling])
        }

        /// Schedules a Live Activity.
        ///
        /// - Throws: ``ActivityAuthorizationError``.
        @available(iOS 16.1, *)
        @available(*, deprecated, renamed: "request(attributes:content:pushType:style:alertConfiguration:start:)")
        public static func request(
            attributes: Attributes, content: ActivityContent<ContentState>, pushType: PushType? = nil,
            style: ActivityStyle,
            alertConfiguration: AlertConfiguration, startDate: Date
        ) throws -> Activity<Attributes> {
            try request(
                attributes: attributes, content: content, pushType: pushType, style: style,
                alertConfiguration: alertConfiguration, start: startDate)
        }

        private static func request(
            _ attributes: Attributes, _ content: ActivityContent<ContentState>, _ pushType: PushType?,
            style: ActivityStyle = .standard, start: Date? = nil, needing members: [ActivityKitMember]
        ) throws -> Activity<Attributes> {
            let members = members + (pushType?.updates.channel == nil ? [] : [.channel])
            guard let process = PhoneProcess.current, members.allSatisfy({ $0.isAvailable(in: process) }) else {
                throw ActivityAuthorizationError.unsupported
            }
            let request = CardRequest(
                type: typeName, attributes: try ActivityCoding.encode(attributes), content: try content.card(),
                updates: pushType?.updates ?? .local, startDate: start, isFromIntent: IntentPerformance.isRunning,
                isTransient: style == .transient)
            let card: SimulatedCard
            do throws(CardRefusal) {
                card = try process.request(request)
            } catch {
                throw ActivityAuthorizationError(error)
            }
            // The app made the values that are decoded here, so a failure is one of its own coding.
            guard let activity = Activity(card, in: process) else {
                throw ActivityAuthorizationError.persistenceFailure
            }
            return activity
        }
    }
#endif
