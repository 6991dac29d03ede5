import EyotDomain
import Testing

@Suite("Quotas of apps")
struct AppQuotasTests {
    /// - Returns: Whether a device is admitted, and how often the present number was read.
    private func admission(to limit: Int, seen: Int, present: Int) -> (isAdmitted: Bool, reads: Int) {
        var (quotas, reads) = (AppQuotas(), 0)
        quotas.devices = limit
        let isAdmitted = quotas.admitsDevice(seen: seen) {
            reads += 1
            return present
        }
        return (isAdmitted, reads)
    }

    @Test func `How many devices there are is read in the transaction when nine tenths were used before it`() {
        #expect(admission(to: 100, seen: 89, present: 100) == (true, 0))
        #expect(admission(to: 100, seen: 90, present: 99) == (true, 1))
        #expect(admission(to: 100, seen: 90, present: 100) == (false, 1))
    }

    @Test func `A small quota is exact, and none admits all`() {
        #expect(admission(to: 1, seen: 0, present: 1) == (false, 1))
        #expect(admission(to: 9, seen: 0, present: 8) == (true, 1))
        #expect(admission(to: 0, seen: .max, present: .max) == (true, 0))
    }
}
