import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP
import HTTPTypes

/// Routes for Airship's push, its validation that sends nothing, and OAuth's tokens.
struct AirshipRoutes {
    /// The most push objects in one call.
    static let pushLimit = 100

    let backend: Backend
    /// Whether calls are accepted if their `Accept` names no version.
    let isLenient: Bool

    var routes: [Route] {
        let plane = AirshipPlane()
        let scopes = Route.Access.key(.activitiesStart, .activitiesUpdate)
        return [
            .post("/api/push", on: plane, scopes) { try await push($0) }.unrecorded,
            .answer(.post, "/api/push/validate", on: plane, scopes) { try await validate($0) },
            AirshipTokens(backend: backend).route,
        ]
    }

    private func push(_ call: Call) async throws -> Route.Command {
        var declarations: [@Sendable (any Ledger) throws -> VendorDeclared] = []
        let isArray = try call.json().array != nil
        var named: Set<String> = []
        for (index, push) in try pushes(call).enumerated() {
            let isLater = !named.insert(push.body.name).inserted
            let element = isArray ? CallElement(index: index, names: AirshipPlane.names) : nil
            var call = call
            // Each push object gets a time one microsecond after the one before. Starts without a name are ordered by
            // this time.
            call.now = Instant(microseconds: call.now.microseconds + Int64(index))
            declarations.append(try await push.prepare(backend, call, isLater: isLater, as: element))
        }
        let prepared = declarations
        return { ledger in
            // All are declared in their order, or none.
            Self.answer(try prepared.map { try $0(ledger) })
        }
    }

    private func validate(_ call: Call) async throws -> Answer {
        try await backend.tryOut(call) { try await push($0) }
        return Answer(.ok, ["ok": true])
    }

    /// Returns the declarations of a call, in their order.
    private func pushes(_ call: Call) throws -> [VendorDeclaration] {
        guard isLenient || Self.namesVersion(call.headers) else { throw AirshipPlane.versionMissing }
        let json = try call.json()
        let elements = json.array ?? [json]
        guard (1...Self.pushLimit).contains(elements.count) else {
            throw EyotError(.fieldInvalid, "an array must have 1 to \(Self.pushLimit) push objects")
        }
        var pushes: [VendorDeclaration] = []
        for (index, element) in elements.enumerated() {
            do {
                let path = json.array == nil ? "" : "[\(index)]"
                pushes.append(try AirshipPush(element, at: path, now: call.now).declaration)
            } catch {
                throw EyotError(theirs: error)
            }
        }
        return pushes
    }

    private static func namesVersion(_ headers: HTTPFields) -> Bool {
        let accept = (headers[.accept] ?? "").filter { $0 != " " }.lowercased()
        return accept.split(separator: ",").contains { type in
            let parts = type.split(separator: ";")
            return parts.first == "application/vnd.urbanairship+json" && parts.contains("version=3")
        }
    }

    private static func answer(_ declared: [VendorDeclared]) -> Answer {
        let ids = declared.map { AirshipID.text(of: $0.operation) }
        var object = JSONObject([
            ("ok", true), ("operation_id", .string(ids.first ?? AirshipID.text(of: nil))),
            ("push_ids", .array(ids.map(JSONValue.string))),
        ])
        let warnings = declared.flatMap(\.remarks)
        if !warnings.isEmpty { object["warnings"] = .array(warnings.map(JSONValue.string)) }
        var answer = Answer(.accepted, .object(object))
        answer.headers[.airshipData] = "push_ids"
        answer.name(declared.first?.operation)
        return answer
    }
}
