import EyotDomain

extension LedgerCheck {
    static let nodes = [
        LedgerCheck("A lease is kept as it was written, each shard's by itself") { ledger in
            try require(ledger.nodeLease(of: 0), is: nil, "before anybody has it")
            var lease = NodeLease(owner: NodeID(rawValue: "a"), epoch: 1, renewedAt: .after(1), until: .after(15))
            try require(ledger.replace(nil, by: lease), "the first is refused")
            try require(ledger.nodeLease(of: 0), is: lease, "as it was taken")
            let former = lease
            (lease.owner, lease.epoch, lease.renewedAt, lease.until) = (nil, 2, .after(3), .after(4))
            lease.doubtsUntil = .after(2)
            try require(ledger.replace(former, by: lease), "the next is refused")
            try require(ledger.nodeLease(of: 0), is: lease, "as it was given back")
            let other = NodeLease(
                shard: 1, owner: NodeID(rawValue: "b"), epoch: 7, renewedAt: .after(1), until: .after(2))
            try require(ledger.replace(nil, by: other), "another shard's is refused")
            try require(ledger.nodeLease(of: 0), is: lease, "the first shard's")
            try require(ledger.nodeLease(of: 1), is: other, "the second shard's")
        },
        LedgerCheck("A lease is replaced only as it was read") { ledger in
            let first = NodeLease(owner: NodeID(rawValue: "a"), epoch: 1, renewedAt: .after(1), until: .after(15))
            try require(ledger.replace(nil, by: first), "the first is refused")
            let second = NodeLease(owner: NodeID(rawValue: "b"), epoch: 2, renewedAt: .after(16), until: .after(31))
            try require(ledger.replace(nil, by: second), is: false, "as if there were none")
            var extended = first
            extended.until = .after(20)
            try require(ledger.replace(first, by: extended), "the extended one is refused")
            try require(ledger.replace(first, by: second), is: false, "as it was before it was extended")
            try require(ledger.nodeLease(of: 0), is: extended, "what stands")
            try require(ledger.replace(extended, by: second), "the next is refused")
            try require(ledger.replace(extended, by: extended), is: false, "of a former epoch")
            try require(ledger.nodeLease(of: 0), is: second, "what stands in the end")
        },
        LedgerCheck("What all nodes took of a limit is kept until the source has all uses again") { ledger in
            let (key, device) = (LimitedSource(.key, "7"), LimitedSource(.device, "7"))
            try require(ledger.fullAt(key), is: nil, "before a use")
            try ledger.put(fullAt: .after(60), of: key)
            try ledger.put(fullAt: .after(90), of: device)
            try ledger.put(fullAt: .after(61), of: key)
            try require(ledger.fullAt(key), is: .after(61), "the key's")
            try require(ledger.fullAt(device), is: .after(90), "the device's")
            try require(ledger.removeSources(fullBefore: .after(61), limit: 9), is: 0, "removed too early")
            try require(ledger.removeSources(fullBefore: .after(91), limit: 1), is: 1, "removed of two")
            try require(ledger.removeSources(fullBefore: .after(91), limit: 9), is: 1, "removed then")
            try require(ledger.fullAt(device), is: nil, "in the end")
        },
        LedgerCheck("The token of a key is kept until it is replaced, or is too old") { ledger in
            try require(ledger.sharedToken(of: "a"), is: nil, "before there is one")
            let sealed = SealedSecret(masterKeyID: "m", box: [0, 255])
            let former = SharedToken(fingerprint: "a", issuedAt: .after(1), sealed: sealed)
            let other = SharedToken(fingerprint: "b", issuedAt: .after(5), sealed: sealed)
            let next = SharedToken(
                fingerprint: "a", issuedAt: .after(9), sealed: SealedSecret(masterKeyID: "n", box: [1]))
            for token in [former, other] { try ledger.put(token) }
            try require(ledger.sharedToken(of: "a"), is: former, "as it was put")
            try ledger.put(next)
            try require(ledger.sharedToken(of: "a"), is: next, "the next")
            try ledger.removeSharedTokens(issuedBefore: .after(9))
            try require(ledger.sharedToken(of: "a"), is: next, "issued at that moment")
            try require(ledger.sharedToken(of: "b"), is: nil, "issued before")
        },
    ]
}
