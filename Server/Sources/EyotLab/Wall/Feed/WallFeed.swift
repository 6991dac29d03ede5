import EyotContract
import Foundation
import PhoneSimulator

/// The wall's look at the lab: at most four times a second while a page is open, otherwise never.
final class WallFeed: Sendable {
    /// The shortest time between two looks.
    private static let interval = Duration.milliseconds(250)
    /// How many times as long as a look the wall waits after it. So looks take at most a fifth of a core, however many
    /// phones there are.
    private static let restPerLook = 4
    /// How many looks lie between two readings of the whole list of activities. Events report changes before that.
    private static let looksPerList = 8

    let viewers = WallViewers()
    let declared = DeclaredStates()
    private let clock: any Clock<Duration>

    init(clock: any Clock<Duration> = ContinuousClock()) { self.clock = clock }

    /// Looks at the lab whenever a page is open, until the task is cancelled.
    func run(_ lab: Lab) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.declared.run { try lab.api } }
            var isFollowing = false
            for await _ in viewers.arrivals {
                if !isFollowing { group.addTask { await self.follow(lab) } }
                isFollowing = true
                await lookWhileOpen(lab)
            }
            group.cancelAll()
        }
    }

    /// Sends each page what has changed, until all pages are closed.
    private func lookWhileOpen(_ lab: Lab) async {
        var picture = WallPicture()
        var looks = 0
        while viewers.count > 0, !Task.isCancelled {
            if looks.isMultiple(of: Self.looksPerList) { declared.readAgain() }
            looks += 1
            let status = await lab.wallStatus
            let length = ContinuousClock().measure {
                let change = picture.update(lab.phones.map(\.reading), declared.all, status)
                viewers.send(news: WallMessage.news(change, picture), all: WallMessage.all(of: picture))
            }
            try? await clock.sleep(for: Self.rest(after: length))
        }
    }

    /// How long the wall waits after a look of this length.
    static func rest(after look: Duration) -> Duration { max(interval, look * restPerLook) }

    /// Follows the server's events of activities. After the end of a stream it waits for a page, and begins anew.
    private func follow(_ lab: Lab) async {
        while !Task.isCancelled {
            if viewers.count > 0, let api = try? lab.api {
                // The stream ends if the server is down. Then the list of activities is read again.
                _ = try? await api.follow("/v1/events?types=activity.*", after: nil) { self.declared.note($0) }
                declared.readAgain()
            }
            try? await clock.sleep(for: .seconds(1))
        }
    }

    /// The wall at this moment, whether or not a page is open.
    func picture(of lab: Lab) async -> WallPicture {
        declared.readAgain()
        // Without an answer of the server the picture has the states that are known.
        if let api = try? lab.api { try? await declared.read(by: api) }
        var picture = WallPicture()
        _ = picture.update(lab.phones.map(\.reading), declared.all, await lab.wallStatus)
        return picture
    }
}
