/// The rule by which holders share something limited: no holder has more than it leaves free.
///
/// One holder alone gets half of it, and the next one half of the rest. What is given back evens the shares out: two
/// holders that come and go have a third each. No share is reserved for holders that never come.
package enum FairShare {
    /// Whether a holder may have `own`, if all holders together then have `all`.
    package static func allows(_ own: Int, of all: Int, within limit: Int) -> Bool {
        all <= limit && own <= limit - all
    }

    /// The most that a holder may have beside others.
    package static func most(beside others: Int, within limit: Int) -> Int { max(0, limit - others) / 2 }
}
