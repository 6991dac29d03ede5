import EyotContract
import EyotKit
import Foundation
import Testing

@Suite("Where a build's tokens belong, and the shared instance")
struct SharedTests {
    private func profile(_ environment: String?) -> Data {
        let entry = environment.map { "<key>aps-environment</key><string>\($0)</string>" } ?? ""
        let plist =
            #"<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>Entitlements</key><dict>"# + entry
            + "</dict></dict></plist>"
        // A signature stands around it.
        return Data([0x30, 0x82, 0xff]) + Data(plist.utf8) + Data([0xa0, 0x00])
    }

    @Test func `a provisioning profile says which service a build's tokens belong to`() {
        #expect(PushEnvironment(provisioningProfile: profile("development")) == .sandbox)
        #expect(PushEnvironment(provisioningProfile: profile("production")) == .production)
        for silent in [profile(nil), profile("else"), Data(), Data("<?xml without an end".utf8)] {
            #expect(PushEnvironment(provisioningProfile: silent) == nil)
        }
        // There is no profile here.
        #expect(PushEnvironment.ofThisBuild == .production)
    }

    @Test func `a wish for the shared instance is granted at once where a task has one of its own`() {
        let rig = Rig()
        let eyot = Eyot(configuration: rig.configuration, transport: rig.server)
        let granted = Guarded(0)
        Eyot.$stand.withValue(eyot) {
            #expect(Eyot.shared === eyot)
            #expect(Eyot.whenConfigured { instance in granted.withLock { $0 += instance === eyot ? 1 : 0 } })
        }
        #expect(granted.withLock { $0 } == 1)
    }
}
