import EyotLab
import Foundation

extension Rig {
    /// Types a command into a shell that knows `eyot` and the lab's variables, and returns how it ended.
    ///
    /// The output goes to a file. A pipe would block a thread while another child holds its end.
    static func type(
        _ command: String, in folder: URL? = nil, _ description: LabDescription
    ) async throws -> (code: Int32, output: String) {
        let output = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data().write(to: output)
        defer { try? FileManager.default.removeItem(at: output) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "eyot() { \"\(executable.path)\" \"$@\"; }\n\(command)"]
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging([
            "EYOT_URL": description.http, "EYOT_API_KEY": description.apiKey, "control": description.control,
            "auth": "Authorization: Bearer \(description.controlSecret)",
        ]) { $1 }
        let handle = try FileHandle(forWritingTo: output)
        (process.standardOutput, process.standardError) = (handle, handle)
        process.standardInput = FileHandle.nullDevice
        let ended = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { ended.continuation.yield($0.terminationStatus) }
        try process.run()
        let status = await ended.stream.first { _ in true } ?? -1
        return (status, try String(contentsOf: output, encoding: .utf8))
    }
}
