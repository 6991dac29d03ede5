import EyotContract

/// How much work a password's hash takes, in the terms of scrypt (RFC 7914).
package struct PasswordCost: Sendable, Hashable {
    /// The cost as a power of two.
    package var logRounds: Int
    package var blockSize: Int
    package var parallelism: Int

    package init(logRounds: Int, blockSize: Int, parallelism: Int) {
        self.logRounds = logRounds
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// 32 MiB of memory. It is one of the settings that OWASP's password storage cheat sheet recommends.
    package static let standard = PasswordCost(logRounds: 15, blockSize: 8, parallelism: 3)

    /// Whether the server takes the cost from a stored hash. A manipulated database must not exhaust its memory.
    var isSane: Bool { (1...17).contains(logRounds) && (1...16).contains(blockSize) && (1...4).contains(parallelism) }
}

/// A password as it is stored: its scrypt hash, with salt and cost.
package struct PasswordHash: Sendable, Hashable {
    /// The fewest characters of a password. There are no other rules for its characters.
    package static let leastCharacters = 12
    /// The most bytes of a password.
    package static let mostBytes = 1_024
    /// Bytes of a salt and of a hash.
    package static let saltBytes = 16
    package static let hashBytes = 32

    package var cost: PasswordCost
    package var salt: [UInt8]
    package var hash: [UInt8]

    package init(cost: PasswordCost, salt: [UInt8], hash: [UInt8]) {
        self.cost = cost
        self.salt = salt
        self.hash = hash
    }
}

extension PasswordHash {
    /// The form in the store: `scrypt$15$8$3$` and the salt and the hash as hexadecimal digits.
    package var text: String {
        let numbers = [cost.logRounds, cost.blockSize, cost.parallelism].map(String.init)
        return (["scrypt"] + numbers + [HexBytes.text(of: salt), HexBytes.text(of: hash)]).joined(separator: "$")
    }

    /// Nil for any other text.
    package init?(text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == "scrypt", let rounds = Int(parts[1]), let size = Int(parts[2]),
            let parallelism = Int(parts[3]), let salt = HexBytes.bytes(of: String(parts[4])),
            let hash = HexBytes.bytes(of: String(parts[5]))
        else { return nil }
        let cost = PasswordCost(logRounds: rounds, blockSize: size, parallelism: parallelism)
        guard cost.isSane, salt.count == Self.saltBytes, hash.count == Self.hashBytes else { return nil }
        self.init(cost: cost, salt: salt, hash: hash)
    }
}
