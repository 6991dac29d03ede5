import EyotContract

/// What an HTTP status means for what was sent.
enum ServerVerdict: Sendable, Equatable {
    /// It is taken.
    case taken
    /// The credentials are void.
    case registerAgain
    /// Another installation has this id.
    case installationTaken
    /// It will never be taken.
    case refused
    /// The server is not to be used now; that says nothing about what was sent.
    case unavailable

    init(status: Int, of route: DeviceRoute) {
        self =
            switch (route, status) {
            case (_, 200..<300): .taken
            case (.register, 409): .installationTaken
            case (.changes, 401): .registerAgain
            // With these our server judges the body. What stands before it, a proxy or a firewall, has other words.
            case (.changes, 400), (.changes, 413), (.changes, 415), (.changes, 422): .refused
            case (.changes, _): .unavailable
            // A wrong path, a proxy's login or a time-out is not our server's judgement of the body.
            case (_, 404), (_, 405), (_, 407), (_, 408), (_, 425), (_, 429): .unavailable
            case (_, 400..<500): .refused
            default: .unavailable
            }
    }
}
