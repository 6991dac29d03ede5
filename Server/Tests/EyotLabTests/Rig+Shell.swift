import EyotLab
import EyotTestKit
import Foundation

extension Rig {
    /// Types a command into a shell that knows `eyot` and the lab's variables, and returns how it ended.
    static func type(
        _ command: String, in folder: URL? = nil, _ description: LabDescription
    ) async throws -> (code: Int32, output: String) {
        let ended = try await Program(
            "/bin/sh", ["-c", "exec 2>&1\neyot() { \"\(executable.path)\" \"$@\"; }\n\(command)"], in: folder,
            environment: [
                "EYOT_URL": description.http, "EYOT_API_KEY": description.apiKey, "control": description.control,
                "auth": "Authorization: Bearer \(description.controlSecret)",
            ]
        ).run()
        return (ended.code, ended.output)
    }
}
