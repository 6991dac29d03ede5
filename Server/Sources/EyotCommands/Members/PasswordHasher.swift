import Crypto
import CryptoExtras
import Dispatch
import EyotDomain
import Foundation
import Synchronization

/// The computation of passwords' hashes by scrypt (RFC 7914).
///
/// A hash takes tens of milliseconds of a core and 32 MiB. So one is computed at a time, on a thread of its own, and
/// neither calls nor the engine wait for it. Beyond a few that wait, further ones are refused.
package final class PasswordHasher: Sendable {
    /// The most hashes that wait or are computed.
    package static let limit = 16

    private let cost: PasswordCost
    private let queue = DispatchQueue(label: "eyot.passwords", qos: .userInitiated)
    private let state = Mutex((waiting: 0, runs: 0))
    /// A hash that no password has. It is checked for names that are unknown, so that they take the same time.
    private let dummy: PasswordHash

    /// How many hashes were computed.
    package var runs: Int { state.withLock { $0.runs } }

    package init(cost: PasswordCost = .standard) {
        self.cost = cost
        dummy = PasswordHash(
            cost: cost, salt: Self.random(PasswordHash.saltBytes), hash: Self.random(PasswordHash.hashBytes))
    }

    /// Makes the hash of a new password.
    ///
    /// - Throws: ``MemberError`` with `fieldInvalid` for a password that is too short or too long, and `busy`.
    package func hash(_ password: Secret) async throws -> PasswordHash {
        try Self.check(password)
        let salt = Self.random(PasswordHash.saltBytes)
        let cost = cost
        let bytes = try await run { try Self.derive(password, salt, cost) }
        return PasswordHash(cost: cost, salt: salt, hash: bytes)
    }

    /// Whether a password belongs to a hash. Nil stands for an unknown member, takes as long, and is never right.
    ///
    /// - Throws: ``MemberError`` with `busy`.
    package func verify(_ password: Secret, against stored: PasswordHash?) async throws -> Bool {
        guard password.text.utf8.count <= PasswordHash.mostBytes else { return false }
        let expected = stored ?? dummy
        let bytes = try await run { try Self.derive(password, expected.salt, expected.cost) }
        return Self.areEqual(bytes, expected.hash) && stored != nil
    }

    /// Whether a hash should be computed anew with the present cost.
    func isOutdated(_ stored: PasswordHash) -> Bool { stored.cost != cost }

    /// - Throws: ``MemberError`` with `fieldInvalid`.
    package static func check(_ password: Secret) throws(MemberError) {
        guard password.text.count >= PasswordHash.leastCharacters, password.text.utf8.count <= PasswordHash.mostBytes
        else {
            throw MemberError(
                .fieldInvalid, "A password needs at least \(PasswordHash.leastCharacters) characters.",
                field: "password")
        }
    }

    private func run(_ body: @escaping @Sendable () throws -> [UInt8]) async throws -> [UInt8] {
        let isAdmitted = state.withLock { state in
            guard state.waiting < Self.limit else { return false }
            state.waiting += 1
            state.runs += 1
            return true
        }
        guard isAdmitted else { throw MemberError.busy }
        defer { state.withLock { $0.waiting -= 1 } }
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: body)) }
        }
    }

    private static func derive(_ password: Secret, _ salt: [UInt8], _ cost: PasswordCost) throws -> [UInt8] {
        let key = try KDF.Scrypt.deriveKey(
            from: Data(password.text.utf8), salt: Data(salt), outputByteCount: PasswordHash.hashBytes,
            rounds: 1 << cost.logRounds, blockSize: cost.blockSize, parallelism: cost.parallelism)
        return key.withUnsafeBytes { Array($0) }
    }

    /// Compares without an early end, so that the time says nothing of the place of a difference.
    private static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        a.count == b.count && zip(a, b).reduce(into: UInt8(0)) { $0 |= $1.0 ^ $1.1 } == 0
    }

    private static func random(_ count: Int) -> [UInt8] {
        SymmetricKey(size: SymmetricKeySize(bitCount: count * 8)).withUnsafeBytes { Array($0) }
    }
}
