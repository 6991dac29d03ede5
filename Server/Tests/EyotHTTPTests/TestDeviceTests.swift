import EyotContract
import EyotDomain
import Testing

@Suite("Test devices")
struct TestDeviceTests {
    private static let path = "/v1/test-devices/my%20phone"

    @Test func `A test device is a phone or a person's phones under a name, in its own app alone`() async throws {
        try await Rig.run { rig in
            let one = try await rig.phone("one")
            #expect(try await rig.call(.put, Self.path, #"{"device":"\#(one.id)"}"#).status == 200)
            let zoe = try await rig.call(.put, "/v1/test-devices/Zo%C3%AB", #"{"user":"zoe"}"#)
            #expect(zoe.text == #"{"name":"Zoë","user":"zoe"}"#)
            #expect(try await rig.call(.get, Self.path)["device"]?.string == one.id)
            #expect(try await rig.call(.get, "/v1/test-devices")["testDevices"]?.array?.count == 2)
            #expect(try await rig.call(.get, "/v1/test-devices", key: rig.other.api)["testDevices"]?.array == [])
            let foreign = try await rig.call(.put, Self.path, #"{"device":"\#(one.id)"}"#, key: rig.other.api)
            #expect(foreign.code == "deviceUnknown")
            #expect(try await rig.call(.delete, Self.path).status == 204)
            #expect(try await rig.call(.delete, Self.path).code == "testDeviceUnknown")
            #expect(try await rig.call(.get, Self.path).code == "testDeviceUnknown")
        }
    }

    @Test(
        arguments: [
            ("{}", "device"), (#"{"device":"1","user":"a"}"#, "user"), (#"{"device":"x"}"#, "device"),
            (#"{"device":1}"#, "device"), (#"{"user":""}"#, "user"), (#"{"user":"a","phone":"1"}"#, "phone"),
        ]) func `What names no phone is refused`(body: String, field: String) async throws
    {
        try await Rig.run { rig in
            _ = try await rig.phone("one")
            let reply = try await rig.call(.put, Self.path, body)
            #expect(reply.status == 422 || reply.code == "fieldMissing")
            #expect(reply.field == field)
        }
    }

    @Test func `A start goes to the phone of the name alone, and so does an update`() async throws {
        try await Rig.run { rig in
            let one = try await rig.phone("one")
            let two = try await rig.phone("two", user: "zoe")
            _ = try await rig.call(.put, Self.path, #"{"device":"\#(one.id)"}"#)
            _ = try await rig.call(.put, "/v1/test-devices/zoe", #"{"user":"zoe"}"#)
            let path = "/v1/activities/final"
            func start(_ audience: String) -> String { Body.start.replacing(#""all""#, with: audience) }
            let unknown = try await rig.call(.post, "\(path)/start", start(#"{"testDevice":"his phone"}"#))
            #expect(unknown.code == "testDeviceUnknown")
            #expect(unknown.field == "audience")
            let started = try await rig.call(.post, "\(path)/start", start(#"{"testDevice":"my phone"}"#))
            #expect(started["starting"]?.integer == 1)
            let replicas = try await rig.call(.get, "\(path)/replicas")
            #expect(replicas["replicas", "0", "device"]?.string == one.id)
            let rest = try await rig.call(
                .post, "\(path)/start", start(#"{"and":[{"not":{"testDevice":"my phone"}},{"testDevice":["zoe"]}]}"#))
            #expect(rest["starting"]?.integer == 1)
            #expect(try await rig.call(.get, "\(path)/replicas")["replicas", "1", "device"]?.string == two.id)
            let scoped = try await rig.call(
                .post, "\(path)/update", #"{"contentState":{"n":2},"scope":{"testDevice":"zoe"}}"#)
            #expect(scoped["members"]?.integer == 1)
        }
    }

    @Test func `An app has so many test devices and no more`() async throws {
        try await Rig.run { rig in
            for number in 0..<TestDevice.limit {
                let reply = try await rig.call(.put, "/v1/test-devices/\(number)", #"{"user":"a"}"#)
                #expect(reply.status == 200)
            }
            #expect(try await rig.call(.put, Self.path, #"{"user":"a"}"#).code == "tooManyTestDevices")
            #expect(try await rig.call(.put, "/v1/test-devices/7", #"{"user":"b"}"#).status == 200)
        }
    }
}
