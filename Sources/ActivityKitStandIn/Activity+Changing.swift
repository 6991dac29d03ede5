#if !os(iOS) || targetEnvironment(macCatalyst)
    import Foundation
    import PhoneSimulator

    /// Changes are ordered by time together with pushes. A change older than the shown content is ignored, and so is
    /// one after the end. As in ActivityKit the caller is not notified; the phone's log has an entry.
    extension Activity {
        /// Shows other content. iOS 16.2.
        public func update(_ content: ActivityContent<ContentState>) async {
            change(to: content, alerts: false, needing: [.content])
        }

        /// Shows other content, and lights the screen if there is an alert. iOS 16.2.
        @available(iOS 16.1, *)
        public func update(
            _ content: ActivityContent<ContentState>, alertConfiguration: AlertConfiguration? = nil
        ) async {
            change(to: content, alerts: alertConfiguration != nil, needing: [.content])
        }

        /// Shows other content as of a moment. iOS 17.2.
        @available(iOS 16.1, *)
        public func update(
            _ content: ActivityContent<ContentState>, alertConfiguration: AlertConfiguration? = nil, timestamp: Date
        ) async {
            change(
                to: content, alerts: alertConfiguration != nil, timestamp: timestamp, needing: [.content, .timestamp])
        }

        /// Ends it, with last content if there is any. iOS 16.2.
        public func end(
            _ content: ActivityContent<ContentState>?, dismissalPolicy: ActivityUIDismissalPolicy = .default
        ) async {
            end(showing: content, dismissalPolicy, needing: [.content])
        }

        /// Ends it as of a moment. iOS 17.2.
        public func end(
            _ content: ActivityContent<ContentState>?, dismissalPolicy: ActivityUIDismissalPolicy = .default,
            timestamp: Date
        ) async {
            end(showing: content, dismissalPolicy, timestamp: timestamp, needing: [.content, .timestamp])
        }

        /// Shows another state. iOS 16.1.
        @available(*, deprecated, message: "use update(_:)")
        public func update(using contentState: ContentState) async {
            change(to: ActivityContent(state: contentState, staleDate: nil), alerts: false, needing: [])
        }

        /// Shows another state, and lights the screen if there is an alert. iOS 16.1.
        @available(iOS 16.1, *)
        @available(*, deprecated, message: "use update(_:alertConfiguration:)")
        public func update(using contentState: ContentState, alertConfiguration: AlertConfiguration? = nil) async {
            let alerts = alertConfiguration != nil
            change(to: ActivityContent(state: contentState, staleDate: nil), alerts: alerts, needing: [])
        }

        /// Ends it, with a last state if there is any. iOS 16.1.
        @available(*, deprecated, message: "use end(_:dismissalPolicy:)")
        public func end(
            using contentState: ContentState? = nil, dismissalPolicy: ActivityUIDismissalPolicy = .default
        ) async {
            end(showing: contentState.map { ActivityContent(state: $0, staleDate: nil) }, dismissalPolicy, needing: [])
        }

        private func change(
            to content: ActivityContent<ContentState>, alerts: Bool, timestamp: Date? = nil,
            needing members: [ActivityKitMember]
        ) {
            guard members.allSatisfy({ $0.isAvailable(in: process) }) else { return }
            do {
                process.update(card: id, to: try content.card(), alerts: alerts, timestamp: timestamp)
            } catch {
                process.note(fault: "the content of an update does not encode: \(error)")
            }
        }

        private func end(
            showing content: ActivityContent<ContentState>?, _ policy: ActivityUIDismissalPolicy,
            timestamp: Date? = nil,
            needing members: [ActivityKitMember]
        ) {
            guard members.allSatisfy({ $0.isAvailable(in: process) }) else { return }
            do {
                process.end(card: id, content: try content?.card(), dismissal: policy.dismissal, timestamp: timestamp)
            } catch {
                process.note(fault: "the content of an end does not encode: \(error)")
            }
        }
    }
#endif
