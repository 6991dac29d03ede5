import EyotBridge
import EyotContract
import EyotKit
import Foundation
import PhoneSimulator

/// A simulated phone and the bridge in a process, for tests of bindings in other languages: see `Conversation`.
///
/// It ends with its standard input.
@main
enum BridgeProcess {
    @MainActor
    static func main() async throws {
        let phone = BridgedPhone()
        try await PhoneProcess.$current.withValue(phone.phone.launch()) {
            let bridge = LiveActivityBridge(capabilities: Capabilities(iOS: 18, 1))
            try bridge.register(MatchAttributes.self)
            try bridge.register(DeliveryAttributes.self)
            let conversation = Conversation(bridge: bridge, phone: phone) { value in
                FileHandle.standardOutput.write(Data(value.utf8 + [UInt8(ascii: "\n")]))
            }
            for await line in lines() { await conversation.hear(line) }
        }
    }

    /// The lines of the standard input. A separate thread reads them, because reading blocks. A test waits for its
    /// answers, so few lines wait here.
    private static func lines() -> AsyncStream<String> {
        let (lines, line) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingOldest(1_000))
        Thread.detachNewThread {
            while let text = readLine() { line.yield(text) }
            line.finish()
        }
        return lines
    }
}
