import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP

/// The page of an app: its halt, its APNs keys, and the keys of its backends.
struct AppPage {
    static let path = "/panel/app"

    let panel: Panel

    var routes: [Route] {
        [
            panel.page(Self.path) { visit in
                visit.show("App and keys", "app", try await AppView(visit))
            },
            panel.form(Self.path + "/halt", needs: [.activitiesHalt]) { visit, fields in
                try await set(isHalted: true, visit, fields)
            },
            panel.form(Self.path + "/resume", needs: [.activitiesHalt]) { visit, fields in
                try await set(isHalted: false, visit, fields)
            },
            panel.form(Self.path + "/apns-keys", needs: [.appsWrite], putAPNSKey),
        ] + APIKeyForms(panel: panel).routes
    }

    /// Halts or resumes all activities of the app.
    private func set(isHalted: Bool, _ visit: Visit, _ fields: FormFields) async throws -> Answer {
        // A halt can be undone, and haste is its purpose; a resume sends what is due to all phones at once.
        if !isHalted { try fields.requireTyped(visit.seat.app.bundleID) }
        let verb = isHalted ? "halt" : "resume"
        _ = try await visit.ask(LocalCall(.post, LocalCall.path("v1", "apps", visit.seat.app.bundleID, verb)))
        return visit.redirect(to: Self.path, saying: isHalted ? .halted : .resumed)
    }

    private func putAPNSKey(_ visit: Visit, _ fields: FormFields) async throws -> Answer {
        let environment = try fields.required("environment")
        let path = LocalCall.path("v1", "apps", visit.seat.app.bundleID, "apns-keys", environment)
        _ = try await visit.ask(
            LocalCall(
                .put, path,
                json: [
                    "teamID": .string(try fields.required("teamID")), "keyID": .string(try fields.required("keyID")),
                    "privateKey": .string(try fields.required("privateKey").replacing("\r\n", with: "\n")),
                ]))
        return visit.redirect(to: Self.path, saying: .saved)
    }
}

/// What the page of an app shows.
struct AppView {
    struct APNSKey {
        var environment: String
        var teamID: String
        var keyID: String
        var added: Moment?
        var pause: Pause?
    }

    struct Pause {
        var meaning: String
        var since: Moment?
        var nextTrial: Moment?
    }

    let name: String
    let bundleID: String
    let appKey: String
    let activities: String
    let devices: String
    let haltedSince: Moment?
    let mayHalt: Bool
    let mayWrite: Bool
    let apnsKeys: [APNSKey]
    let keys: [APIKeyRow]
    let mayMakeKeys: Bool
    let seesKeys: Bool
    let scopes: [String]
    let planes: [String]
    let haltAction: String
    let resumeAction: String
    let apnsAction: String
    let keyAction: String

    init(_ visit: Visit) async throws {
        let app = try await visit.read(LocalCall.path("v1", "apps", visit.seat.app.bundleID))
        (name, bundleID, appKey) = (app.shown("name"), app.text("bundleID"), app.text("appKey"))
        activities = app.text("activities")
        devices = Figures.count(app["usage", "devices"]?.integer ?? 0)
        haltedSince = app.moment("haltedSince")
        (mayHalt, mayWrite) = (visit.may(.activitiesHalt), visit.may(.appsWrite))
        apnsKeys = app.list("apnsKeys").map { key in
            let environment = key.text("environment")
            let pause = app["pauses", environment].map {
                Pause(meaning: $0.text("meaning"), since: $0.moment("since"), nextTrial: $0.moment("nextTrialAt"))
            }
            return APNSKey(
                environment: environment, teamID: key.text("teamID"), keyID: key.text("keyID"),
                added: key.moment("addedAt"), pause: pause)
        }
        seesKeys = visit.may(.keysRead)
        mayMakeKeys = visit.may(.keysWrite)
        let mayRevoke = mayMakeKeys
        keys =
            seesKeys
            ? try await visit.read("/v1/keys").list("keys").compactMap { APIKeyRow($0, visit, mayRevoke: mayRevoke) }
            : []
        scopes = KeyScope.allCases.map(\.rawValue).sorted()
        planes = APIKeyRow.planes
        (haltAction, resumeAction) = (visit.link(AppPage.path + "/halt"), visit.link(AppPage.path + "/resume"))
        (apnsAction, keyAction) = (visit.link(AppPage.path + "/apns-keys"), visit.link(APIKeyForms.path))
    }
}
