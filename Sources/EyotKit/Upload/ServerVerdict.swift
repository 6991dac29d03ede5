import EyotContract

/// The meaning of an HTTP status for the request.
enum ServerVerdict: Sendable, Equatable {
    /// The request was accepted.
    case taken
    /// The credentials are invalid.
    case registerAgain
    /// Another installation has this id.
    case installationTaken
    /// The request will never be accepted.
    case refused
    /// The server cannot be used now. The status says nothing about the request.
    case unavailable

    init(status: Int, of route: DeviceRoute) {
        self =
            switch (route, status) {
            case (_, 200..<300): .taken
            case (.register, 409): .installationTaken
            // 409 says that the database has gone back. Only with its code is it Eyot's word.
            case (.changes, 401), (.changes, 409): .registerAgain
            // These statuses are Eyot's judgement of the body. A proxy or a firewall in front of it answers with
            // others.
            case (.changes, 400), (.changes, 413), (.changes, 415), (.changes, 422): .refused
            case (.changes, _): .unavailable
            // A wrong path, a proxy's login or a time-out is not Eyot's judgement of the body.
            case (_, 404), (_, 405), (_, 407), (_, 408), (_, 425), (_, 429): .unavailable
            case (_, 400..<500): .refused
            default: .unavailable
            }
    }
}
