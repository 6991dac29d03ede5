// swift-tools-version: 6.2

import PackageDescription

// The server, its edges and the tools. The targets stand lowest first: a target imports only from above it, and only if
// it must. The root package, which goes inside apps, is a dependency by path.
let contract = Target.Dependency.product(name: "EyotContract", package: "eyot")
let wire = Target.Dependency.product(name: "APNSWire", package: "eyot")
let phones = Target.Dependency.product(name: "PhoneSimulator", package: "eyot")
let standIn = Target.Dependency.product(name: "ActivityKitStandIn", package: "eyot")
let kit = Target.Dependency.product(name: "EyotKit", package: "eyot")
let attributes = Target.Dependency.product(name: "EyotAttributes", package: "eyot")
let kitTesting = Target.Dependency.product(name: "EyotKitTesting", package: "eyot")
let netmera = Target.Dependency.product(name: "EyotKitNetmera", package: "eyot")
let airship = Target.Dependency.product(name: "EyotKitAirship", package: "eyot")
let braze = Target.Dependency.product(name: "EyotKitBraze", package: "eyot")
let insider = Target.Dependency.product(name: "EyotKitInsider", package: "eyot")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let metrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let tracing = Target.Dependency.product(name: "Tracing", package: "swift-distributed-tracing")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let http2: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
    .product(name: "NIOTLS", package: "swift-nio"),
    .product(name: "NIOSSL", package: "swift-nio-ssl"),
    .product(name: "NIOHTTP2", package: "swift-nio-http2"),
    .product(name: "NIOHPACK", package: "swift-nio-http2"),
]

let package = Package(
    name: "eyot-server",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "eyot", targets: ["eyot"]),
        .executable(name: "eyot-bench", targets: ["eyot-bench"]),
        .library(name: "APNSSender", targets: ["APNSSender"]),
        .library(name: "APNSSimulator", targets: ["APNSSimulator"]),
        .library(name: "EyotLab", targets: ["EyotLab"]),
    ],
    dependencies: [
        .package(name: "eyot", path: ".."),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", exact: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-http-types.git", exact: "1.8.0", traits: []),
        .package(url: "https://github.com/groue/GRDB.swift.git", exact: "7.10.0"),
        .package(url: "https://github.com/apple/swift-crypto.git", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-certificates.git", exact: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1.git", exact: "1.7.4"),
        .package(url: "https://github.com/apple/swift-nio.git", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", exact: "1.46.0"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log.git", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics.git", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", exact: "1.7.3"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", exact: "2.13.0"),
        .package(url: "https://github.com/swift-server/async-http-client.git", exact: "1.37.0"),
        .package(url: "https://github.com/jpsim/Yams.git", exact: "6.2.2"),
        .package(url: "https://github.com/vapor/jwt-kit.git", exact: "5.7.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache.git", exact: "2.1.1"),
        .package(url: "https://github.com/swiftlang/swift-subprocess.git", exact: "1.0.2"),
    ],
    targets: [
        // MARK: Values and decisions
        .target(name: "EyotDomain", dependencies: [contract, wire]),
        // The metrics of a server. Only this target knows swift-metrics.
        .target(name: "EyotMetrics", dependencies: ["EyotDomain", contract, metrics]),
        // Traces of calls. Only this target knows swift-distributed-tracing.
        .target(name: "EyotTracing", dependencies: ["EyotDomain", contract, tracing]),
        .target(
            name: "EyotEngine",
            dependencies: ["EyotDomain", "EyotMetrics", "EyotTracing", contract, wire, logging, lifecycle]),
        .target(name: "EyotCommands", dependencies: ["EyotDomain", contract, wire, crypto, cryptoExtras]),
        // The verification of users' identities. Only this target knows JWTs.
        .target(
            name: "EyotIdentity", dependencies: ["EyotDomain", contract, .product(name: "JWTKit", package: "jwt-kit")]),
        // MARK: Stores
        .target(name: "EyotStore", dependencies: ["EyotDomain", contract, wire, crypto]),
        .target(name: "CSQLiteSettings", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(
            name: "EyotSQLite",
            dependencies: [
                "CSQLiteSettings", "EyotDomain", "EyotStore", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]),
        // The functions of libpq, which is loaded when the first connection is made.
        .target(name: "CPq"),
        // Only this target knows libpq.
        .target(name: "EyotPostgres", dependencies: ["CPq", "EyotDomain", "EyotStore"]),
        // MARK: The edge out, and Apple's side of it
        // The part of a connection that both sides share.
        .target(name: "HTTP2Frames", dependencies: [.product(name: "NIOCore", package: "swift-nio")]),
        .target(name: "APNSSender", dependencies: ["HTTP2Frames", contract, wire, crypto, logging] + http2),
        .target(
            name: "APNSSimulator",
            dependencies: [
                "HTTP2Frames", contract, wire, crypto, logging,
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ] + http2),
        // MARK: The edge in
        .target(
            name: "HTTPConnections",
            dependencies: [
                contract, logging, .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]),
        // Bounded calls to servers of others. Only this target knows AsyncHTTPClient.
        .target(
            name: "OutboundHTTP",
            dependencies: [
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]),
        // The edge out to receivers of webhooks.
        .target(
            name: "WebhookSender",
            dependencies: [
                "EyotDomain", "HTTPConnections", "OutboundHTTP",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]),
        .target(
            name: "EyotHTTP",
            dependencies: [
                "HTTPConnections", "EyotDomain", "EyotMetrics", "EyotTracing", "EyotCommands", contract, wire,
                hummingbird, httpTypes, logging,
                lifecycle, .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
            ]),
        .target(
            name: "EyotVendors",
            dependencies: ["EyotDomain", "EyotCommands", "EyotHTTP", contract, wire, httpTypes, crypto]),
        // The pages of the panel. Only this target knows Mustache.
        .target(
            name: "EyotPanel",
            dependencies: [
                "EyotDomain", "EyotCommands", "EyotHTTP", contract, wire, httpTypes, crypto, logging, lifecycle,
                .product(name: "Mustache", package: "swift-mustache"),
            ]),
        // MARK: Everything together
        // What the build says of itself. A release gives it the commit: BUILD_COMMIT=$(git rev-parse HEAD).
        .target(
            name: "CBuildInfo",
            cSettings: Context.environment["BUILD_COMMIT"].map { [.define("BUILD_COMMIT", to: "\"\($0)\"")] }),
        // Compression of files. It comes with every system that Eyot runs on.
        .systemLibrary(name: "CZlib"),
        .target(
            name: "EyotServer",
            dependencies: [
                "CBuildInfo", "CZlib", "EyotDomain", "EyotMetrics", "EyotTracing", "EyotEngine", "EyotCommands",
                "EyotIdentity", "EyotStore", "EyotSQLite", "EyotPostgres", "HTTPConnections", "EyotHTTP", "EyotVendors",
                "EyotPanel", "APNSSender", "OutboundHTTP", "WebhookSender",
                contract, wire,
                crypto, lifecycle, logging,
                .product(name: "Yams", package: "Yams"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]),
        .target(
            name: "EyotLab",
            dependencies: [
                "EyotDomain", "EyotPostgres", "APNSSimulator", "HTTPConnections", "OutboundHTTP", "EyotHTTP",
                "EyotVendors",
                contract, wire, phones, standIn, kit, crypto, logging, hummingbird, httpTypes, subprocess,
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
            ]),
        .target(
            name: "EyotSimulation",
            dependencies: ["EyotDomain", "EyotEngine", "EyotCommands", "EyotSQLite", contract, wire, phones]),
        .target(
            name: "EyotBench",
            dependencies: [
                "EyotDomain", "EyotEngine", "EyotCommands", "EyotSQLite", "EyotPostgres", "EyotStore", "APNSSender",
                "APNSSimulator", "HTTPConnections", "EyotHTTP", "EyotServer", "EyotVendors", "EyotPanel", "EyotLab",
                "EyotSimulation",
                contract, wire, phones, crypto, logging, hummingbird, httpTypes, subprocess,
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]),
        .executableTarget(
            name: "eyot",
            dependencies: [
                "EyotDomain", "EyotCommands", "EyotHTTP", "EyotVendors", "EyotStore", "EyotPostgres", "EyotServer",
                "EyotLab", "APNSSender", "APNSSimulator", contract, wire, phones, argumentParser, logging,
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            exclude: ["Resources/worldcup/README.md"],
            // In the code, because a program that is installed has no folder of resources beside it.
            resources: [
                .embedInCode("Resources/worldcup/worldcup-2022.json"),
                .embedInCode("Resources/worldcup/worldcup-2026.json"),
            ],
            // All symbols are bound at the start, so that their table can be read-only from then on.
            linkerSettings: [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "now"], .when(platforms: [.linux]))]),
        // Measurements of a build. They are not in packages, and need `eyot` beside them.
        .executableTarget(name: "eyot-bench", dependencies: ["EyotBench", argumentParser]),

        // MARK: Tests
        .target(
            name: "EyotTestKit",
            dependencies: [
                "EyotDomain", "EyotEngine", "EyotCommands", "EyotLab", "EyotPostgres", "EyotSimulation", contract,
                wire, phones, kit, subprocess,
            ]),
        .testTarget(name: "EyotDomainTests", dependencies: ["EyotDomain", contract, wire]),
        .testTarget(
            name: "EyotMetricsTests", dependencies: ["EyotDomain", "EyotMetrics", "EyotTestKit", metrics]),
        .testTarget(name: "EyotTracingTests", dependencies: ["EyotDomain", "EyotTracing", contract]),
        .testTarget(
            name: "EyotEngineTests",
            dependencies: [
                "EyotDomain", "EyotMetrics", "EyotTracing", "EyotEngine", "EyotCommands", "EyotSimulation",
                "EyotTestKit", contract, wire, phones,
                logging, lifecycle,
            ]),
        .testTarget(
            name: "EyotServerTests",
            dependencies: [
                "EyotDomain", "EyotMetrics", "EyotEngine", "EyotCommands", "EyotStore", "EyotSQLite", "EyotPostgres",
                "HTTPConnections", "EyotServer", "EyotHTTP",
                "EyotTestKit", "EyotTracing", "EyotVendors", "OutboundHTTP", "WebhookSender", contract, wire, logging,
                crypto, lifecycle,
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            exclude: ["Webhooks/verify.py"]),
        .testTarget(
            name: "EyotCommandsTests",
            dependencies: ["EyotDomain", "EyotCommands", "EyotTestKit", contract, wire, crypto]),
        .testTarget(
            name: "EyotHTTPTests",
            dependencies: [
                "EyotDomain", "EyotMetrics", "EyotTracing", "EyotEngine", "EyotCommands", "EyotIdentity", "EyotStore",
                "EyotSQLite",
                "HTTPConnections", "EyotHTTP",
                "EyotVendors", "EyotServer", "EyotTestKit", "APNSSender", "APNSSimulator", contract, wire, phones,
                crypto, httpTypes, hummingbird,
                logging, lifecycle,
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
            ],
            exclude: ["Golden"]),
        // A SQLite VFS that can lose data that was not synced.
        .target(name: "CFaultyVFS", linkerSettings: [.linkedLibrary("sqlite3")]),
        .testTarget(
            name: "EyotStoreTests",
            dependencies: [
                "EyotCommands", "EyotDomain", "EyotEngine", "EyotSQLite", "EyotPostgres", "EyotStore", "EyotLab",
                "EyotSimulation", "EyotTestKit", "CFaultyVFS",
                .product(name: "GRDB", package: "GRDB.swift"), contract, wire,
            ],
            exclude: ["Golden"]),
        .testTarget(
            name: "APNSSenderTests",
            dependencies: [
                "APNSSender", "APNSSimulator", "HTTP2Frames", contract, wire, phones, crypto, logging,
            ] + http2),
        .testTarget(
            name: "EyotLabTests",
            dependencies: [
                "EyotDomain", "EyotStore", "EyotPostgres", "APNSSimulator", "EyotLab", "EyotTestKit", "eyot", contract,
                wire, phones, standIn, kit, subprocess,
            ],
            exclude: ["airship.py", "Golden"]),
        // The part of the example app that needs no Xcode. Its folders are linked here, so that the code exists only
        // once, in Examples.
        .testTarget(
            name: "ExampleAppTests",
            dependencies: ["EyotLab", contract, wire, phones, standIn, attributes, kit, kitTesting],
            exclude: [
                "Shared/MatchAttributes.schema.json", "Shared/DeliveryAttributes.schema.json",
                "Shared/WaitingListAttributes.schema.json",
            ]),
        .testTarget(
            name: "EyotCLITests",
            dependencies: [
                "EyotDomain", "EyotCommands", "eyot", "eyot-bench", "EyotBench", "EyotLab", "EyotServer",
                "EyotSimulation",
                "EyotSQLite", "EyotTestKit", contract, wire, phones, argumentParser,
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            exclude: ["Schemas"]),
        // Apps that come from a vendor, each against the real server.
        .testTarget(
            name: "EyotKitNetmeraTests", dependencies: ["EyotLab", "EyotTestKit", "eyot", netmera, contract, phones]),
        .testTarget(
            name: "EyotKitAirshipTests", dependencies: ["EyotLab", "EyotTestKit", "eyot", airship, contract, phones]),
        .testTarget(
            name: "EyotKitBrazeTests", dependencies: ["EyotLab", "EyotTestKit", "eyot", braze, contract, phones]),
        .testTarget(
            name: "EyotKitInsiderTests", dependencies: ["EyotLab", "EyotTestKit", "eyot", insider, contract, phones]),
        .testTarget(
            name: "EyotPanelTests",
            dependencies: [
                "EyotDomain", "EyotCommands", "EyotIdentity", "HTTPConnections", "EyotHTTP", "EyotPanel", "EyotServer",
                "EyotTestKit", "EyotVendors", contract, crypto, httpTypes, hummingbird, logging,
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
            ]),
        // What people see, in a real browser.
        .testTarget(
            name: "EyotBrowserTests",
            dependencies: [
                "EyotLab", "EyotTestKit", "eyot", contract, wire, phones,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
            ]),
        .testTarget(
            name: "APNSSimulatorTests",
            dependencies: ["APNSSimulator", "EyotTestKit", "HTTP2Frames", contract, wire, phones, crypto] + http2),
    ],
    swiftLanguageModes: [.v6]
)

// Every gate builds with this setting: a warning in our own targets is an error, and a warning in a dependency stays a
// warning. The name does not begin with EYOT_, because the server refuses to start with an unknown setting of that
// form.
if Context.environment["STRICT_BUILD"] != nil {
    for target in package.targets where target.type != .system {
        target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
    }
}
