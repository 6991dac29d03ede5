// swift-tools-version: 6.2

import PackageDescription

// What goes inside people's apps, and what tests them. This package has no dependencies at all; a house rule holds it to
// that. The targets stand lowest first: a target imports only from above it.
let package = Package(
    name: "eyot",
    platforms: [.iOS(.v14), .macOS(.v13)],
    products: [
        .library(name: "EyotKit", targets: ["EyotKit"]),
        .library(name: "EyotContract", targets: ["EyotContract"]),
        .library(name: "APNSWire", targets: ["APNSWire"]),
        .library(name: "PhoneSimulator", targets: ["PhoneSimulator"]),
        .library(name: "ActivityKitStandIn", targets: ["ActivityKitStandIn"]),
    ],
    targets: [
        // MARK: What phone and server say to each other
        .target(name: "EyotContract"),
        // MARK: Apple's vocabulary
        .target(name: "APNSWire", dependencies: ["EyotContract"]),
        // MARK: The phone that is not there
        .target(name: "PhoneSimulator", dependencies: ["EyotContract", "APNSWire"]),
        .target(name: "ActivityKitStandIn", dependencies: ["PhoneSimulator", "EyotContract"]),
        // MARK: The SDK
        .target(
            name: "EyotKit",
            dependencies: [
                "EyotContract",
                .target(name: "ActivityKitStandIn", condition: .when(platforms: [.linux, .macOS])),
            ]),

        // MARK: Tests
        .testTarget(name: "EyotContractTests", dependencies: ["EyotContract"]),
        .testTarget(name: "APNSWireTests", dependencies: ["APNSWire"]),
        .testTarget(name: "PhoneSimulatorTests", dependencies: ["PhoneSimulator"]),
        .testTarget(name: "ActivityKitStandInTests", dependencies: ["ActivityKitStandIn", "PhoneSimulator"]),
        .testTarget(name: "EyotKitTests", dependencies: ["EyotKit", "PhoneSimulator"]),
    ],
    swiftLanguageModes: [.v6]
)
