import EyotHTTP
import Foundation
import HTTPConnections
import NIOSSL
import Testing

@Suite("TLS", .timeLimit(.minutes(10)))
struct TLSTests {
    private static let health = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"

    /// Whether a client gets an answer at a port.
    static func isAnswered(_ client: NIOSSLContext?, at port: Int, preface: [UInt8] = []) async -> Bool {
        let (answers, answer) = AsyncStream.makeStream(of: Bool.self)
        try? await RawConnection.open(port: port, tls: client, preface: preface) { connection in
            try? await connection.send(health)
            answer.yield((try? await connection.read(until: "}"))?.hasPrefix("HTTP/1.1 200") == true)
        }
        answer.finish()
        return await answers.first { _ in true } ?? false
    }

    @Test func `A listener with a certificate speaks TLS 1.2 and newer, and nothing in the clear`() async throws {
        try await TestFolder.certified { folder, made in
            let certificate = try ServerCertificate(folder.files)
            try await ListeningServer.run {
                $0.certificate = certificate
            } _: { server in
                for version in [TLSVersion.tlsv12, .tlsv13] {
                    let client = try made.client { ($0.minimumTLSVersion, $0.maximumTLSVersion) = (version, version) }
                    #expect(await Self.isAnswered(client, at: server.port))
                }
                let old = try made.client { ($0.minimumTLSVersion, $0.maximumTLSVersion) = (.tlsv1, .tlsv11) }
                #expect(await !Self.isAnswered(old, at: server.port))
                #expect(try await !Self.isAnswered(TestCertificate().client(), at: server.port))
                #expect(await !Self.isAnswered(nil, at: server.port))
            }
        }
    }

    @Test(
        "TLS 1.2 has forward secrecy and authenticated encryption",
        arguments: [
            (NIOTLSCipher.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, true),
            (.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, true), (.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA, false),
            (.TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA, false),
        ])
    func suites(suite: NIOTLSCipher, isTaken: Bool) async throws {
        try await TestFolder.certified { folder, made in
            let certificate = try ServerCertificate(folder.files)
            try await ListeningServer.run {
                $0.certificate = certificate
            } _: { server in
                let client = try made.client {
                    $0.maximumTLSVersion = .tlsv12
                    $0.cipherSuiteValues = [suite]
                }
                #expect(await Self.isAnswered(client, at: server.port) == isTaken)
            }
        }
    }

    @Test func `Limits hold for encrypted connections`() async throws {
        try await TestFolder.certified { folder, made in
            let certificate = try ServerCertificate(folder.files)
            try await ListeningServer.run {
                $0.certificate = certificate
                $0.limits.bodyTime = .milliseconds(200)
            } _: { server in
                try await RawConnection.open(port: server.port, tls: try made.client()) { connection in
                    try await connection.send(server.registration("Content-Length: 200000"))
                    #expect(await connection.readToEnd(trickling: " ").hasPrefix("HTTP/1.1 408"))
                }
            }
            try await ListeningServer.run {
                $0.certificate = certificate
            } _: { server in
                try await RawConnection.open(port: server.port, tls: try made.client()) { connection in
                    try await connection.send("POST /nosuch HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000000\r\n\r\n")
                    #expect(await connection.readToEnd(trickling: " ").hasPrefix("HTTP/1.1 404"))
                }
            }
            // A client that never shakes hands is no exception.
            try await ListeningServer.run {
                $0.certificate = certificate
                $0.limits.headTime = .milliseconds(100)
            } _: { server in
                try await server.connect { #expect(await $0.readToEnd() == "") }
                #expect(server.refusals.sums == [.headTime: 1])
            }
        }
    }

    @Test func `A late listener shakes hands for health alone, and with trusted proxies`() async throws {
        try await TestFolder.certified { folder, made in
            let certificate = try ServerCertificate(folder.files)
            let late: @Sendable (inout HTTPServer.Settings) -> Void = {
                $0.certificate = certificate
                // Always late.
                $0.limits.lag = .nanoseconds(-1)
                $0.limits.reserve = 1
                // The first connection says nothing while the second one shakes hands, on a busy machine for long.
                $0.limits.headTime = .seconds(600)
            }
            let client = try made.client()
            try await ListeningServer.run(change: late) { server in
                try await RawConnection.open(port: server.port, tls: client) { connection in
                    #expect(await !Self.isAnswered(client, at: server.port))
                    try await connection.send(server.registration("Content-Length: 0"))
                    let answer = await connection.readToEnd()
                    #expect(answer.hasPrefix("HTTP/1.1 503"))
                    #expect(answer.contains("Retry-After: "))
                    #expect(answer.contains("late"))
                }
                #expect(server.refusals.sums == [.lag: 2])
                while await !Self.isAnswered(client, at: server.port) {}
            }
            let proxies = TrustedProxies([try #require(AddressRange("127.0.0.1"))])
            try await ListeningServer.run(proxies: proxies, change: late) { server in
                // The first one would take the reserve.
                try await RawConnection.open(port: server.port, tls: client) { _ in
                    #expect(await Self.isAnswered(client, at: server.port))
                }
                #expect(server.refusals.sums == [:])
            }
            // Nothing keeps a connection without a handshake.
            try await ListeningServer.run {
                $0.limits.lag = .nanoseconds(-1)
            } _: { server in
                #expect(await Self.isAnswered(nil, at: server.port))
                #expect(server.refusals.sums == [:])
            }
        }
    }

    @Test func `The PROXY protocol comes before TLS`() async throws {
        try await TestFolder.certified { folder, made in
            let certificate = try ServerCertificate(folder.files)
            let proxies = TrustedProxies([try #require(AddressRange("127.0.0.1"))], header: .proxyV2)
            try await ListeningServer.run(proxies: proxies) {
                $0.certificate = certificate
            } _: { server in
                let caller = ProxyV2HeaderTests.header(0x21, 0x11, ProxyV2HeaderTests.four)
                let client = try made.client()
                #expect(await Self.isAnswered(client, at: server.port, preface: caller))
                #expect(await !Self.isAnswered(client, at: server.port))
            }
        }
    }

    @Test func `A link to another folder is a change`() async throws {
        try await TestFolder.certified { folder, _ in
            let manager = FileManager.default
            let link = folder.path + "/current"
            let files = ServerCertificate.Files(certificate: link + "/cert.pem", key: link + "/key.pem")
            for name in ["old", "new"] {
                let target = "\(folder.path)/\(name)"
                try manager.createDirectory(atPath: target, withIntermediateDirectories: true)
                for file in ["cert.pem", "key.pem"] {
                    // The same files with the same times: only the link tells them apart.
                    try manager.linkItem(atPath: "\(folder.path)/\(file)", toPath: "\(target)/\(file)")
                }
            }
            try manager.createSymbolicLink(atPath: link, withDestinationPath: folder.path + "/old")
            let read = try ServerCertificate(files)
            try manager.removeItem(atPath: link)
            try manager.createSymbolicLink(atPath: link, withDestinationPath: folder.path + "/new")
            let isChanged = try read.reread(isForced: false)
            #expect(isChanged)
        }
    }

    @Test func `A changed certificate is read, and one that cannot be used leaves the old one`() async throws {
        try await TestFolder.certified { folder, first in
            let (files, second) = (folder.files, try TestCertificate())
            let certificate = try ServerCertificate(files)
            try await ListeningServer.run {
                $0.certificate = certificate
            } _: { server in
                let isUnchanged = try !certificate.reread(isForced: false)
                #expect(isUnchanged)
                let isRead = try certificate.reread(isForced: true)
                #expect(isRead)
                // The key of another certificate, text that is none, and no file at all.
                try second.keyPEM.write(toFile: files.key, atomically: true, encoding: .utf8)
                #expect(throws: ServerCertificate.Fault.self) { try certificate.reread(isForced: false) }
                try "nothing".write(toFile: files.certificate, atomically: true, encoding: .utf8)
                let wrong = #expect(throws: ServerCertificate.Fault.self) { try certificate.reread(isForced: false) }
                #expect(wrong?.description.contains(files.certificate) == true)
                try first.write(to: files)
                try FileManager.default.removeItem(atPath: files.key)
                let missing = #expect(throws: ServerCertificate.Fault.self) { try certificate.reread(isForced: true) }
                #expect(missing?.description.contains(files.key) == true)
                #expect(try await Self.isAnswered(first.client(), at: server.port))
                try second.write(to: files)
                let isChanged = try certificate.reread(isForced: false)
                #expect(isChanged)
                #expect(try await Self.isAnswered(second.client(), at: server.port))
                #expect(try await !Self.isAnswered(first.client(), at: server.port))
            }
        }
    }
}
