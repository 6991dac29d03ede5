// swift-tools-version: 6.2

import PackageDescription

// The targets that go inside apps, and those that test them. This package has no dependencies at all, which a house
// rule checks. The targets stand lowest first: a target imports only from above it.

/// The platforms without a usable ActivityKit: it is absent, or all its symbols are unavailable.
let elsewhere: [Platform] = [.linux, .macOS, .macCatalyst, .tvOS, .watchOS, .visionOS]

let package = Package(
    name: "eyot",
    // From April 2027 on the App Store accepts only apps for iOS 15 and later.
    platforms: [.iOS(.v15), .macOS(.v13)],
    products: [
        .library(name: "EyotKit", targets: ["EyotKit"]),
        .library(name: "EyotKitNetmera", targets: ["EyotKitNetmera"]),
        .library(name: "EyotKitAirship", targets: ["EyotKitAirship"]),
        .library(name: "EyotKitBraze", targets: ["EyotKitBraze"]),
        .library(name: "EyotKitInsider", targets: ["EyotKitInsider"]),
        .library(name: "EyotAttributes", targets: ["EyotAttributes"]),
        .library(name: "EyotBridge", targets: ["EyotBridge"]),
        .library(name: "EyotKitTesting", targets: ["EyotKitTesting"]),
        .library(name: "EyotContract", targets: ["EyotContract"]),
        .library(name: "APNSWire", targets: ["APNSWire"]),
        .library(name: "PhoneSimulator", targets: ["PhoneSimulator"]),
        .library(name: "ActivityKitStandIn", targets: ["ActivityKitStandIn"]),
    ],
    targets: [
        // MARK: The contract between phone and server
        .target(name: "EyotContract"),
        // MARK: Apple's vocabulary
        .target(name: "APNSWire", dependencies: ["EyotContract"]),
        // MARK: The phone that is not there
        .target(name: "PhoneSimulator", dependencies: ["EyotContract", "APNSWire"]),
        .target(name: "ActivityKitStandIn", dependencies: ["PhoneSimulator", "EyotContract"]),
        // MARK: The SDK
        // The protocols for a card's attributes. A widget extension links them too.
        .target(
            name: "EyotAttributes",
            dependencies: [.target(name: "ActivityKitStandIn", condition: .when(platforms: elsewhere))]),
        // The target's privacy manifest is a resource, because Xcode's report of an app requires that.
        .target(
            name: "EyotKit", dependencies: ["EyotContract", "EyotAttributes"],
            resources: [.copy("PrivacyInfo.xcprivacy")]),
        // The same under the names of vendors' SDKs, so that an app that moves from one of them only changes an import.
        .target(name: "EyotKitNetmera", dependencies: ["EyotKit"]),
        .target(name: "EyotKitAirship", dependencies: ["EyotKit", "EyotContract"]),
        .target(name: "EyotKitBraze", dependencies: ["EyotKit", "EyotContract"]),
        .target(name: "EyotKitInsider", dependencies: ["EyotKit", "EyotContract"]),
        // For code that is not Swift, in React Native, Capacitor and Flutter.
        .target(name: "EyotBridge", dependencies: ["EyotKit", "EyotContract"]),
        // The bridge on a simulated phone, for the tests of bindings. No product.
        .executableTarget(
            name: "EyotBridgeProcess",
            dependencies: ["EyotBridge", "EyotKit", "PhoneSimulator", "APNSWire", "EyotContract"]),
        // For apps' own tests.
        .target(name: "EyotKitTesting", dependencies: ["EyotKit", "PhoneSimulator", "EyotContract"]),

        // MARK: Tests
        .testTarget(name: "EyotContractTests", dependencies: ["EyotContract", "PhoneSimulator"]),
        .testTarget(name: "APNSWireTests", dependencies: ["APNSWire", "EyotContract"]),
        .testTarget(name: "PhoneSimulatorTests", dependencies: ["PhoneSimulator", "APNSWire", "EyotContract"]),
        .testTarget(
            name: "ActivityKitStandInTests", dependencies: ["ActivityKitStandIn", "PhoneSimulator", "EyotContract"]),
        .testTarget(
            name: "EyotKitTests",
            dependencies: [
                "EyotKit", "EyotKitNetmera", "EyotKitAirship", "EyotKitBraze", "EyotKitInsider", "PhoneSimulator",
                "APNSWire", "EyotContract",
            ]),
        .testTarget(name: "SchemaTests", dependencies: ["EyotKitTesting", "EyotKit", "EyotContract"]),
        .testTarget(
            name: "EyotBridgeTests",
            dependencies: [
                "EyotBridgeProcess", "EyotBridge", "EyotKit", "PhoneSimulator", "APNSWire", "EyotContract",
            ]),
        // The code of guides and examples under the settings of Xcode's projects. The compiler runs in the test.
        .testTarget(
            name: "SnippetTests",
            dependencies: [
                "EyotKit", "EyotKitNetmera", "EyotKitAirship", "EyotKitBraze", "EyotKitInsider", "EyotBridge",
                "EyotKitTesting",
                "EyotAttributes", "ActivityKitStandIn", "PhoneSimulator", "EyotContract",
            ],
            exclude: ["Code/Guides", "Code/Stubs"]),
        // The rules of the house, over both packages; it reads their text and imports none of them.
        .testTarget(name: "HouseRulesTests"),
    ],
    swiftLanguageModes: [.v6]
)

// Every gate builds with this setting: a warning in our own targets is an error, and a warning in a dependency stays a
// warning. The name does not begin with EYOT_, because the server refuses to start with an unknown setting of that
// form.
if Context.environment["STRICT_BUILD"] != nil {
    for target in package.targets {
        target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
    }
}
