import EyotContract
import Testing

struct AnnouncedValueTests {
    @Test func `an announcement is made with the lock open, and may come back`() {
        let value = AnnouncedValue(0)
        let heard = Guarded<[Int]>([])
        value.withLock { number, announcements in
            number = 1
            announcements.append {
                let seen = value.withLock { $0 }
                heard.withLock { $0.append(seen) }
            }
        }
        #expect(heard.withLock { $0 } == [1])
    }

    @Test func `what an announcement lists comes after what was listed before`() {
        let value = AnnouncedValue(0)
        let heard = Guarded<[String]>([])
        @Sendable func say(_ word: String) { heard.withLock { $0.append(word) } }
        value.withLock { _, announcements in
            announcements.append {
                say("first")
                value.withLock { _, announcements in announcements.append { say("third") } }
            }
            announcements.append { say("second") }
        }
        #expect(heard.withLock { $0 } == ["first", "second", "third"])
    }

    @Test func `an announcement is made although the change throws`() {
        struct Failure: Error {}
        let value = AnnouncedValue(0)
        let heard = Guarded(0)
        #expect(throws: Failure.self) {
            try value.withLock { _, announcements throws(Failure) in
                announcements.append { heard.withLock { $0 += 1 } }
                throw Failure()
            }
        }
        #expect(heard.withLock { $0 } == 1)
    }

    @Test func `changes from many tasks are announced in the order in which they were made`() async {
        let value = AnnouncedValue(0)
        let heard = Guarded<[Int]>([])
        await withDiscardingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<500 {
                        value.withLock { number, announcements in
                            number += 1
                            announcements.append { [number] in heard.withLock { $0.append(number) } }
                        }
                    }
                }
            }
        }
        #expect(heard.withLock { $0 } == Array(1...4_000))
    }
}
