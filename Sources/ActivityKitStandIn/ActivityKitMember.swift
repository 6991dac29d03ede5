#if !os(iOS) || targetEnvironment(macCatalyst)
    import PhoneSimulator

    /// Members of ActivityKit that came after iOS 16.1, each with its version.
    ///
    /// `#available(iOS …)` is always true on Linux, so code that should behave as on an older phone also checks
    /// ``isAvailableHere``. On a real phone, an app that uses a member its iOS lacks would crash at launch. Here the
    /// phone's log only gets a fault, and a request throws `unsupported`.
    public enum ActivityKitMember: String, Sendable, CaseIterable {
        /// `ActivityContent`, and the members that take or yield it, with `staleDate` and the state `stale`.
        case content = "ActivityContent"
        /// `frequentPushesEnabled` and its updates.
        case frequentPushes = "frequentPushesEnabled"
        /// `pushToStartToken` and its updates.
        case pushToStartToken = "pushToStartToken"
        /// `update` and `end` with `timestamp:`. Marked 17.2, though they first appear in the SDK of iOS 18.
        case timestamp = "timestamp:"
        /// `PushType.channel`.
        case channel = "PushType.channel"
        /// `request` with `style:`.
        case style = "style:"
        /// `request` with `start:`, and the state `pending`.
        case scheduling = "start:"

        /// The first version that has it.
        public var introduced: IOSVersion {
            switch self {
            case .content, .frequentPushes: IOSVersion(16, 2)
            case .pushToStartToken, .timestamp: .startTokens
            case .channel, .style: .channels
            case .scheduling: .scheduling
            }
        }

        /// Whether the phone of the current task has it.
        public var isAvailableHere: Bool {
            PhoneProcess.current.map { $0.phone.configuration.os >= introduced } ?? false
        }

        /// Whether a process may use it; if not, a fault is noted.
        func isAvailable(in process: PhoneProcess?) -> Bool {
            guard let process else { return false }
            guard process.phone.configuration.os < introduced else { return true }
            process.note(fault: "\(rawValue) needs iOS \(introduced), this phone has \(process.phone.configuration.os)")
            return false
        }
    }
#endif
