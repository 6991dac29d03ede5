extension Audience {
    /// Resolves the audience at a moment: names become what they stand for, and days become moments.
    ///
    /// - Parameter named: resolves a segment, a test device, an installation, and a selector that asks about users or
    ///   attributes.
    package func resolved(
        at now: Instant, named: (Audience) throws -> Audience
    ) throws -> Audience {
        switch self {
        case .seenAfter(let time): return .seenAfter(.at(time.moment(at: now)))
        case .seenBefore(let time): return .seenBefore(.at(time.moment(at: now)))
        case .attribute(let rule): return try named(.attribute(rule.resolved(at: now)))
        case .segment, .testDevice, .installation, .tag, .user, .users, .alias: return try named(self)
        case .and(let parts): return .and(try Self.resolved(parts, at: now, named))
        case .or(let parts): return .or(try Self.resolved(parts, at: now, named))
        case .not(let part): return .not(try part.resolved(at: now, named: named))
        case .all, .device, .devices, .type, .osAtLeast, .osBelow, .appVersion, .appVersionAtLeast, .appVersionBelow,
            .environment, .hasUser:
            return self
        }
    }

    private static func resolved(
        _ parts: [Audience], at now: Instant, _ named: (Audience) throws -> Audience
    ) throws -> [Audience] {
        var resolved: [Audience] = []
        for part in parts { resolved.append(try part.resolved(at: now, named: named)) }
        return resolved
    }

    /// The depth of its nesting; 1 for a selector alone.
    package var depth: Int {
        switch self {
        case .and(let parts), .or(let parts): 1 + (parts.lazy.map(\.depth).max() ?? 0)
        case .not(let part): 1 + part.depth
        default: 1
        }
    }

    /// The numbers of its selectors, of its `and`, `or` and `not`, and of the elements of its lists.
    package var size: (selectors: Int, connectives: Int, elements: Int) {
        switch self {
        case .users(let users): return (1, 0, users.count)
        case .devices(let devices): return (1, 0, devices.count)
        case .and(let parts), .or(let parts):
            return parts.reduce(into: (0, 1, 0)) { size, part in
                let more = part.size
                size = (size.0 + more.selectors, size.1 + more.connectives, size.2 + more.elements)
            }
        case .not(let part):
            let inner = part.size
            return (inner.selectors, inner.connectives + 1, inner.elements)
        default: return (1, 0, 0)
        }
    }
}

extension AttributeRule {
    fileprivate func resolved(at now: Instant) -> AttributeRule {
        var rule = self
        switch test {
        case .before(let time): rule.test = .before(.at(time.moment(at: now)))
        case .after(let time): rule.test = .after(.at(time.moment(at: now)))
        case .exists, .equals, .contains, .atLeast, .above, .atMost, .below: break
        }
        return rule
    }
}
