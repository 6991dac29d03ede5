import EyotDomain
import EyotHTTP
import HTTPTypes

/// The stream that keeps open pages up to date.
struct LiveRoutes {
    static let path = "/panel/live"

    let panel: Panel

    var routes: [Route] { [panel.page(Self.path, query: ["topic"], stream)] }

    func stream(_ visit: Visit) async throws -> Answer {
        let name = visit.call.query["topic"] ?? ""
        let reads = LookReads()
        var shared = visit
        (shared.namesApp, shared.onRead) = (true, { reads.note($0) })
        guard let look = try look(at: name, for: shared) else {
            throw EyotError(.fieldInvalid, "there is no topic \(name)", field: "topic")
        }
        // Refuses what the member may not read, and an activity that is not there, before the stream opens.
        _ = try await look()
        let record = Self.recorder(for: visit)
        record(reads.take())
        let (call, sessions, bundleID) = (visit.call, panel.sessions, visit.seat.app.bundleID)
        let scopes = visit.seat.key.scopes
        let stream = panel.live.follow(
            // Viewers with other rights see other buttons and links.
            LiveHub.Topic(app: visit.seat.app.id, name: "\(name) \(visit.viewKey)"), by: visit.member.name,
            check: {
                let member = try? await sessions.find(in: call)
                // What a page shows depends on the role, so another role opens it again.
                guard let seat = try? member?.seat(in: bundleID) else { return false }
                return seat.key.scopes == scopes
            }, record: record, reads: reads, look: Self.withAlarms(look, of: shared))
        guard let stream else { throw EyotError(.unavailable, "too many pages are open") }
        var answer = Answer(.ok, nil)
        answer.stream = stream
        answer.headers[.contentType] = "text/event-stream"
        return answer
    }

    /// Records what a look read in the name of a viewer, with the address of the viewer's browser.
    private static func recorder(for visit: Visit) -> LiveHub.Record {
        let (backend, key, address) = (visit.panel.backend, visit.seat.key, visit.call.origin.ipAddress)
        return { entries in
            for var entry in entries {
                (entry.key, entry.hint, entry.address, entry.at) = (key.id, key.hint, address, backend.clock.now)
                backend.trail.notePageRead(entry)
            }
        }
    }

    /// Looks at a topic, and at what keeps the app's cards from moving.
    private static func withAlarms(_ look: @escaping LiveHub.Look, of visit: Visit) -> LiveHub.Look {
        {
            let alarms = Templates.render(try await PageFrame.Alarms(for: visit), "alarms")
            return try await look() + [LiveFragment(id: "alarms", html: alarms)]
        }
    }

    /// What is read for a topic; nil if there is no such topic.
    private func look(at name: String, for visit: Visit) throws -> LiveHub.Look? {
        switch name {
        case TonightPage.topic: return TonightPage(panel: panel).look(for: visit)
        case ServerPage.topic: return ServerPage(panel: panel).look(for: visit)
        case _ where name.hasPrefix(ActivityPage.topic):
            return ActivityPage(panel: panel).look(at: String(name.dropFirst(ActivityPage.topic.count)), for: visit)
        default: return try LogPage(panel: panel).look(at: name, for: visit)
        }
    }
}
