import Testing

/// What may not happen while a lock is held.
///
/// A continuation takes the lock of the task that waits for it. A task that is cancelled calls back with that lock
/// held.
/// Both orders together are a deadlock, which the lab has met once.
enum LockRules {
    /// Calls that go on to another task or to code from outside.
    private static var call: Regex<Substring> {
        /\.(?:yield|resume|finish|cancel|cancelAll|signal)\s*\(|\.onTermination\b|\bonCancel:|\bTask\s*[.({]/
    }

    /// Where the body of a `withLock` yields, resumes, finishes, cancels, or lets itself be called back. What is listed
    /// as an announcement of an `AnnouncedValue` happens after the lock is open.
    static func calls(_ file: RepositoryFile) -> [Violation] {
        let text = Array(file.code.joined(separator: "\n"))
        return starts(of: "withLock", in: text).flatMap { start -> [Violation] in
            guard let body = body(after: start, in: text) else { return [] }
            let inside = withoutAnnouncements(Array(text[body]))
            return inside.matches(of: call).map { match in
                let offset = body.lowerBound + inside.distance(from: inside.startIndex, to: match.range.lowerBound)
                let line = text[..<offset].count { $0 == "\n" } + 1
                return Violation(file.path, line: line, "\(match.output) with a lock held")
            }
        }
    }

    /// Locks that this rule cannot see into. `Guarded` is made of one.
    static func otherLocks(_ file: RepositoryFile) -> [Violation] {
        guard file.path != "Sources/EyotContract/Guarded.swift" else { return [] }
        return CodeRules.lines(
            of: file, with: /\bNS(?:Recursive)?Lock\b|\bNIOLock\b|\bos_unfair_lock\b|\bpthread_mutex/,
            "a lock that is no Guarded, AnnouncedValue or Mutex")
    }

    private static func starts(of word: String, in text: [Character]) -> [Int] {
        let word = Array(word)
        return text.indices.filter { start in
            text[start] == word[0] && text[start...].starts(with: word)
                && (start == 0 || !text[start - 1].isLetter)
                // Not its declaration.
                && !(start > 4 && text[(start - 5)..<start].elementsEqual("func "))
        }
    }

    /// The closure of a call: in parentheses, or behind them.
    private static func body(after start: Int, in text: [Character]) -> Range<Int>? {
        let name = start..<(start + "withLock".count)
        guard let first = text[name.upperBound...].firstIndex(where: { !$0.isWhitespace }), "({".contains(text[first])
        else { return nil }
        return first..<end(of: first, in: text)
    }

    /// The index behind the bracket that closes the one at an index.
    private static func end(of start: Int, in text: [Character]) -> Int {
        var depth = 0
        for index in start..<text.count {
            if "({[".contains(text[index]) { depth += 1 }
            if ")}]".contains(text[index]) { depth -= 1 }
            if depth == 0 { return index + 1 }
        }
        return text.count
    }

    /// Each closure behind `announcements.append` as spaces, so that places stay.
    private static func withoutAnnouncements(_ text: [Character]) -> String {
        var text = text
        let word = Array("announcements.append ")
        for start in text.indices where text[start...].starts(with: word) {
            let closure = start + word.count
            for index in closure..<end(of: closure, in: text) where text[index] != "\n" { text[index] = " " }
        }
        return String(text)
    }
}

@Suite("What may not happen while a lock is held")
struct LockTests {
    private let here = Repository.here

    @Test func `No lock is held while something is yielded, resumed, finished, cancelled or called back`() {
        #expect(here.sources.contains { $0.code.contains { $0.contains("withLock") } })
        #expect(here.sources.flatMap(LockRules.calls) == [])
    }

    @Test func `Every lock is one that the rule sees into`() {
        #expect(here.sources.flatMap(LockRules.otherLocks) == [])
    }
}

@Suite("What may not happen while a lock is held: planted faults")
struct PlantedLockTests {
    private func file(_ text: String) -> RepositoryFile { RepositoryFile("Sources/A/A.swift", text) }

    @Test(
        "A call with the lock held is found",
        arguments: [
            "a.withLock { $0.b.yield(1) }", "a.withLock({ $0.b.resume() })", "a.withLock { b in\n    b.finish()\n}",
            "a.withLock { for task in $0.tasks { task.cancel() } }", "a.withLock { $0.group.cancelAll() }",
            "a.withLock { b in c.onTermination = { _ in } }", "a.withLock { b in Task { c() } }",
            "try a.withLock { b throws(C) in changes.signal() }", "a.withLock { b, announcements in b.yield(1) }",
        ])
    func held(_ text: String) {
        #expect(LockRules.calls(file(text)).count == 1)
    }

    @Test(
        "A call with the lock open is not",
        arguments: [
            "let b = a.withLock { $0 }\nb.yield(1)", "for b in a.withLock({ $0 }) { b.resume() }",
            "a.withLock { b, announcements in announcements.append { b.yield(1) } }",
            "func withLock(_ body: () -> Void) { body.finish() }", "a.withLock { $0.count } // yield(1)",
        ])
    func open(_ text: String) {
        #expect(LockRules.calls(file(text)) == [])
    }

    @Test func `The line is that of the call`() {
        #expect(LockRules.calls(file("a\na.withLock { b in\n    c()\n    b.yield(1)\n}")).map(\.line) == [4])
    }

    @Test func `A lock of another kind is found`() {
        #expect(LockRules.otherLocks(file("private let lock = NSLock()")).count == 1)
        #expect(LockRules.otherLocks(file("private let lock = Mutex(0)")) == [])
    }
}
