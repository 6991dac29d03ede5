import EyotContract
import EyotDomain

/// Whether a failure is told as its plane tells failures.
enum FuzzedShapes {
    /// - Returns: what is wrong with it; nil where nothing is.
    static func fault(in reply: Reply, of plane: KeyPlane, path: String, hasBody: Bool) -> String? {
        guard hasBody else { return reply.text.isEmpty ? nil : "a HEAD has a body" }
        let names = Set(reply.json?.object?.members.map(\.name) ?? [])
        func demand(_ isRight: Bool, _ words: String) -> String? { isRight ? nil : words }
        switch plane {
        case .eyot:
            return demand(
                reply.headers[.contentType] == "application/problem+json"
                    && names.isSuperset(of: ["type", "title", "status", "code", "detail"])
                    && reply["status"]?.integer == reply.status, "no problem+json")
        case .netmera:
            return demand(
                names == ["error", "code"] && reply["error"]?.string?.isEmpty == false && reply["code"]?.integer != nil,
                "no error and code")
        case .airship:
            if path.hasPrefix("/token"), names == ["error", "error_description"] { return nil }
            return demand(
                reply["ok"]?.bool == false && reply["error"]?.string?.isEmpty == false
                    && reply["error_code"]?.integer.map { $0 / 100 == reply.status } == true,
                "no ok, error and error_code")
        case .braze:
            return demand(
                names == ["error"] || names == ["message", "errors"] && reply["message"]?.string?.isEmpty == false,
                "neither error nor message and errors")
        case .insider:
            if reply.status == 401 { return demand(reply.text.isEmpty, "a 401 has words") }
            return demand(
                names.subtracting(["skipped"]) == ["error", "code"] && reply["error"]?.string?.isEmpty == false
                    && reply.code?.isEmpty == false, "no error and code")
        default: return "\(plane.rawValue) has no form of failures here"
        }
    }
}
