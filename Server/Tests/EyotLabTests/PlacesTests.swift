import Synchronization
import Testing

@testable import EyotLab

@Suite("Places", .timeLimit(.minutes(10)))
struct PlacesTests {
    private final class Order: Sendable {
        private let numbers = Mutex<[Int]>([])
        var all: [Int] { numbers.withLock(\.self) }
        func note(_ number: Int) { numbers.withLock { $0.append(number) } }
    }

    @Test func `are taken by as many at once as there are, by each in the end, and not by who goes away`() async throws
    {
        let places = Places(3)
        for _ in 0..<3 { try await places.take() }
        let order = Order()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<5 {
                group.addTask {
                    try await places.take()
                    order.note(number)
                }
                while places.waiting <= number { await Task.yield() }
            }
            let comer = Task { try await places.take() }
            while places.waiting < 6 { await Task.yield() }
            comer.cancel()
            await #expect(throws: CancellationError.self) { try await comer.value }
            #expect(order.all.count == 0, "no place was given back")
            for number in 0..<5 {
                places.giveBack()
                while order.all.count <= number { await Task.yield() }
            }
            try await group.waitForAll()
        }
        #expect(order.all == [0, 1, 2, 3, 4])
        for _ in 0..<3 { places.giveBack() }
        for _ in 0..<3 { try await places.take() }
        #expect(places.waiting == 0)
    }
}
