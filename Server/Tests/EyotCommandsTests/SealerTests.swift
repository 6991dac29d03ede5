import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import Testing

@Suite("Secrets")
struct SealerTests {
    private static let place = Sealer.Place.apnsKey(of: AppID(rawValue: 1), .sandbox)

    @Test func `What is sealed opens in its place`() throws {
        let sealer = Sealer(MasterKey.make())
        let sealed = try sealer.seal(Secret("the key"), for: Self.place)
        #expect(try sealer.open(sealed, for: Self.place).text == "the key")
        #expect(!String(decoding: sealed.box, as: UTF8.self).contains("the key"))
        #expect(try sealer.seal(Secret("the key"), for: Self.place).box != sealed.box)
    }

    @Test(
        "It opens nowhere else",
        arguments: [
            Sealer.Place.apnsKey(of: AppID(rawValue: 2), .sandbox),
            .apnsKey(of: AppID(rawValue: 1), .production), .apnsKey(of: AppID(rawValue: 11), .sandbox),
        ])
    func elsewhere(_ place: Sealer.Place) throws {
        let sealer = Sealer(MasterKey.make())
        let sealed = try sealer.seal(Secret("the key"), for: Self.place)
        #expect(throws: SealError.damaged(masterKeyID: sealer.masterKeyID)) { try sealer.open(sealed, for: place) }
    }

    @Test func `It does not open when one bit was changed`() throws {
        let sealer = Sealer(MasterKey.make())
        let sealed = try sealer.seal(Secret("k"), for: Self.place)
        for index in sealed.box.indices {
            var changed = sealed
            changed.box[index] ^= 1
            #expect(throws: SealError.self) { try sealer.open(changed, for: Self.place) }
        }
        var short = sealed
        short.box = []
        #expect(throws: SealError.self) { try sealer.open(short, for: Self.place) }
    }

    @Test func `Another master key is refused, and both are named`() throws {
        let (old, new) = (MasterKey.make(), MasterKey.make())
        let sealed = try Sealer(old).seal(Secret("k"), for: Self.place)
        let error = #expect(throws: SealError.self) { try Sealer(new).open(sealed, for: Self.place) }
        #expect(error == .masterKeyUnknown(sealedWith: old.id, given: [new.id]))
        #expect(error?.description.contains(old.id) == true)
    }

    @Test func `In a rotation the newest key seals and both open`() throws {
        let (old, new) = (MasterKey.make(), MasterKey.make())
        let sealed = try Sealer(old).seal(Secret("k"), for: Self.place)
        let sealer = Sealer(new, older: [old])
        #expect(try sealer.open(sealed, for: Self.place).text == "k")
        #expect(try sealer.seal(Secret("k"), for: Self.place).masterKeyID == new.id)
    }

    @Test func `A master key is read as it is written, in hexadecimal digits or base64`() throws {
        let key = MasterKey.make()
        #expect(try MasterKey(text: key.text + "\n") == key)
        let zeros = try MasterKey(text: String(repeating: "0", count: 64))
        #expect(try MasterKey(text: String(repeating: "A", count: 43) + "=") == zeros)
        #expect(!"\(key)".contains(key.text))
        #expect(key.id != zeros.id)
        for wrong in ["", "abc", String(repeating: "0", count: 62), String(repeating: "A", count: 40)] {
            #expect(throws: SealError.masterKeyMalformed) { try MasterKey(text: wrong) }
        }
    }

    @Test("A secret has its kind, 256 bits, and a hash", arguments: Keyring.Kind.allCases)
    func keyring(_ kind: Keyring.Kind) {
        let made = Keyring.make(kind)
        #expect(Keyring.kind(of: made.secret.text) == kind)
        #expect(made.secret.text.utf8.count == kind.rawValue.utf8.count + 43)
        #expect(made.hash == Keyring.hash(of: made.secret.text))
        #expect(made.hash.bytes.count == 32)
        #expect(made.hash != Keyring.make(kind).hash)
        #expect(made.secret.text.hasPrefix(made.hint.dropLast()))
        #expect(made.hint.count == kind.rawValue.count + 5)
        #expect(!"\(made.secret)".contains(made.secret.text))
    }
}

@Suite("What is sealed in the store")
struct SealedKeysTests {
    private func ledger(_ sealer: Sealer) throws -> MemoryLedger {
        let ledger = MemoryLedger()
        let now = Instant(second: 1)
        let app = ledger.insertApp(bundleID: "a.b", name: "n", publicKey: "k", at: now)
        for environment in PushEnvironment.allCases {
            let key = try NewAPNSKey(teamID: "TEAM123456", keyID: "KEY1234567", privateKey: "pem") { _, _, _ in }
            _ = try PutAPNSKey(Transaction(ledger, at: now), sealer: sealer)(key, of: app.id, environment)
        }
        return ledger
    }

    @Test func `The server's start finds out that the master key is another`() throws {
        let sealer = Sealer(MasterKey.make())
        let ledger = try ledger(sealer)
        try SealedKeys(ledger: ledger, sealer: sealer).check()
        #expect(throws: SealError.self) { try SealedKeys(ledger: ledger, sealer: Sealer(MasterKey.make())).check() }
    }

    @Test func `After a rotation the new master key is enough`() throws {
        let (old, new) = (MasterKey.make(), MasterKey.make())
        let ledger = try ledger(Sealer(old))
        let rotation = SealedKeys(ledger: ledger, sealer: Sealer(new, older: [old]))
        #expect(try rotation.reseal() == 2)
        #expect(try rotation.reseal() == 0)
        try SealedKeys(ledger: ledger, sealer: Sealer(new)).check()
        #expect(throws: SealError.self) { try SealedKeys(ledger: ledger, sealer: Sealer(old)).check() }
    }

    @Test func `A key that was moved to another environment does not open`() throws {
        let sealer = Sealer(MasterKey.make())
        let ledger = try ledger(sealer)
        var moved = try #require(ledger.apnsKeys(of: AppID(rawValue: 1)).first { $0.environment == .sandbox })
        moved.environment = .production
        ledger.put(moved)
        #expect(throws: SealError.self) { try SealedKeys(ledger: ledger, sealer: sealer).check() }
    }
}
