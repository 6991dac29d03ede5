import EyotCommands
import EyotDomain
import Testing

@Suite("Hashes of passwords", .timeLimit(.minutes(10)))
struct PasswordHasherTests {
    @Test func `A hash verifies its password alone, and survives the store's text`() async throws {
        let hasher = PasswordHasher(cost: MemberRig.cheap)
        let hash = try await hasher.hash(Secret("correct horse battery"))
        let read = try #require(PasswordHash(text: hash.text))
        #expect(read == hash)
        #expect(try await hasher.verify(Secret("correct horse battery"), against: read))
        #expect(try await !hasher.verify(Secret("correct horse batterY"), against: read))
        #expect(try await !hasher.verify(Secret("correct horse battery"), against: nil))
        #expect(try await hasher.hash(Secret("correct horse battery")).salt != hash.salt)
    }

    @Test(
        "A text that is no hash, or would take more than the server has, is refused",
        arguments: [
            "", "scrypt$15$8$3$00$00", "bcrypt$1$1$1$\(String(repeating: "0", count: 32))$00",
            "scrypt$30$8$1$\(String(repeating: "0", count: 32))$\(String(repeating: "0", count: 64))",
            "scrypt$15$999$1$\(String(repeating: "0", count: 32))$\(String(repeating: "0", count: 64))",
        ])
    func refuses(_ text: String) { #expect(PasswordHash(text: text) == nil) }

    @Test("Only the length of a password counts", arguments: [("elevenchars", false), ("twelve chars", true)])
    func length(_ text: String, _ isTaken: Bool) async throws {
        let hash = try? await PasswordHasher(cost: MemberRig.cheap).hash(Secret(text))
        #expect((hash != nil) == isTaken)
    }

    @Test func `Beyond a number that wait, further ones are refused instead of using up memory`() async throws {
        let hasher = PasswordHasher(cost: PasswordCost(logRounds: 13, blockSize: 8, parallelism: 1))
        let answers = await withTaskGroup(of: MemberError.Code?.self) { group in
            for _ in 0..<PasswordHasher.limit + 8 {
                group.addTask {
                    do {
                        _ = try await hasher.verify(Secret("a password"), against: nil)
                        return nil
                    } catch {
                        return (error as? MemberError)?.code
                    }
                }
            }
            return await group.reduce(into: [MemberError.Code?]()) { $0.append($1) }
        }
        #expect(answers.contains(.busy))
        #expect(answers.count { $0 == nil } == hasher.runs)
        #expect(hasher.runs >= PasswordHasher.limit)
        // They are free again afterwards.
        #expect(try await !hasher.verify(Secret("a password"), against: nil))
    }
}
